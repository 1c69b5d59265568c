import { expect, test } from "vitest";
import { parseSettings } from "./parse-settings.ts";
import { findSetting, parseSettingValue, setSetting } from "./set-setting.ts";

test.each([
  ["", "log.level", "debug", '{\n  "log": {\n    "level": "debug"\n  }\n}\n'],
  ["{}\n", "model", "demo", '{\n  "model": "demo"\n}\n'],
  ["{\n  // nothing yet\n}\n", "model", "demo", '{\n  // nothing yet\n  "model": "demo"\n}\n'],
  [
    '{\n  // mine\n  "model": "demo", // the scripted one\n}\n',
    "model",
    "openai/x",
    '{\n  // mine\n  "model": "openai/x", // the scripted one\n}\n',
  ],
  [
    '{\n  "model": "demo" // the scripted one\n}\n',
    "undoSeconds",
    7,
    '{\n  "model": "demo", // the scripted one\n  "undoSeconds": 7\n}\n',
  ],
  [
    '{\n\t"model": "demo", // the scripted one\n}\n',
    "log.level",
    "debug",
    '{\n\t"model": "demo", // the scripted one\n\t"log": {\n\t\t"level": "debug"\n\t},\n}\n',
  ],
  [
    '{ "log": { "level": "debug" } }',
    "log.format",
    "json",
    '{ "log": { "level": "debug",\n  "format": "json"\n} }',
  ],
  [
    '{\r\n  "log": {\r\n    "level": "debug"\r\n  }\r\n}\r\n',
    "log.format",
    "json",
    '{\r\n  "log": {\r\n    "level": "debug",\r\n    "format": "json"\r\n  }\r\n}\r\n',
  ],
  [
    '{\n  "model": "demo"\n  // the end\n}\n',
    "undoSeconds",
    7,
    '{\n  "model": "demo",\n  "undoSeconds": 7\n  // the end\n}\n',
  ],
])("SR13 keeps comments and formatting of %j when it sets %s", (text, key, value, expected) => {
  const changed = setSetting(text, key, value);
  expect(changed).toBe(expected);
  const parsed = parseSettings(new TextEncoder().encode(changed), { file: "s", place: "home" });
  expect(parsed.problems).toEqual([]);
  expect(parsed.values.find((entry) => entry.key === key)?.value).toBe(value);
});

test.each([
  ["model", "demo", "demo"],
  ["undoSeconds", "7.5", 7.5],
  ["sideEffects", "false", false],
])("reads %s from the command line", (key, text, value) => {
  expect(parseSettingValue(findSetting(key), text)).toBe(value);
});

test("rejects a value of another type, and an unknown name with the nearest ones", () => {
  expect(() => parseSettingValue(findSetting("undoSeconds"), "soon")).toThrow(
    "undoSeconds must be a number from 0 to 60.",
  );
  expect(() => findSetting("log.levle")).toThrow("There is no setting log.levle.");
});
