import { describe, expect, test } from "vitest";
import { parseSettings } from "./parse-settings.ts";

const parse = (text: string, place: "home" | "folder" = "home") =>
  parseSettings(new TextEncoder().encode(text), { file: "settings.json", place });
const messagesOf = (text: string, place?: "home" | "folder") =>
  parse(text, place).problems.map(({ message }) => message);

test("SR13 reads JSON with comments and trailing commas, with the position of each value", () => {
  const { values, problems } = parse(
    '\uFEFF{\n  // for this computer\n  "model": "demo",\n  "log": {\n    "level": "debug", /* loud */\n  },\n}\n',
  );
  expect(problems).toEqual([]);
  expect(values).toEqual([
    {
      key: "model",
      variable: "BRON_MODEL",
      file: "settings.json",
      value: "demo",
      line: 3,
      column: 3,
    },
    {
      key: "log.level",
      variable: "LOG_LEVEL",
      file: "settings.json",
      value: "debug",
      line: 5,
      column: 5,
    },
  ]);
});

test("an empty file has no settings", () => {
  expect(parse(" \n")).toEqual({ values: [], problems: [] });
});

test("SR13 names file, line, column and path of every problem", () => {
  expect(
    messagesOf(
      '{\n  "log": { "level": "loud" },\n  "caps": {\n    "minutes": 0\n  },\n  "modell": "demo"\n}',
    ),
  ).toEqual([
    "settings.json:2:21: log.level must be one of error, warn, info, debug.",
    "settings.json:4:16: caps.minutes must be a number above 0, at most 10080.",
    "settings.json:6:3: modell is not a setting. The nearest name is model.",
  ]);
});

describe("SR13 rejects", () => {
  test.each([
    [
      '{ "level": "info" }',
      "settings.json:1:3: level is not a setting. The nearest name is log.level.",
    ],
    [
      '{ "log": { "levle": "x" } }',
      "settings.json:1:12: log.levle is not a setting. The nearest name is log.level.",
    ],
    [
      '{ "zzzzzzzzzzzzzzzzzzzz": 1 }',
      "settings.json:1:3: zzzzzzzzzzzzzzzzzzzz is not a setting. See bron settings show.",
    ],
    [
      '{ "LOG_LEVEL": "info" }',
      "settings.json:1:3: LOG_LEVEL is an environment variable. The setting is log.level.",
    ],
    ['{ "log": 5 }', "settings.json:1:10: log must be an object."],
    ['{ "model": "demo", "model": "x" }', "settings.json:1:20: model is set twice."],
    [
      '{ "server": { "port": "4310" } }',
      "settings.json:1:23: server.port must be a whole number from 0 to 65535.",
    ],
    [
      '{ "__proto__": { "model": "x" } }',
      "settings.json:1:3: __proto__ is not a setting. See bron settings show.",
    ],
    ["[]", "settings.json:1:1: The file must contain an object."],
    [
      '{ "model" "demo" }',
      "settings.json:1:11: The file is not valid JSON with comments: colon expected.",
    ],
  ])("%s", (text, message) => {
    expect(messagesOf(text)).toEqual([message]);
  });

  test("bytes that are not UTF-8", () => {
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
    expect(parseSettings(bytes, { file: "s", place: "home" }).problems[0]?.message).toBe(
      "s:1:1: The file is not valid UTF-8.",
    );
  });

  test("a file of brackets, without overflowing the stack", () => {
    expect(messagesOf('{ "a": '.repeat(100_000))).toEqual([
      expect.stringMatching(/^settings\.json:1:\d+: The file has more than 16 levels\.$/),
    ]);
  });

  test("garbage, with a bounded number of problems", () => {
    expect(messagesOf(`{${"%,".repeat(10_000)}`).length).toBeLessThanOrEqual(20);
  });

  test("a name that would control the terminal, escaped", () => {
    expect(messagesOf('{ "\\u001b[2J": 1 }')[0]).toContain("\\u{1b}[2J");
  });
});

describe("SR13 secrets", () => {
  test.each([
    ["geminiApiKey", "GEMINI_API_KEY"],
    ["ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"],
    ["openai-api-key", "OPENAI_API_KEY"],
    ["databaseUrl", "DATABASE_URL"],
    ["slackBotToken", "SLACK_BOT_TOKEN"],
    ["secretKey", "BRON_SECRET_KEY"],
    ["myPassword", "it"],
  ])("%s is rejected with the place where it belongs", (name, place) => {
    const [message] = messagesOf(`{ "${name}": "hunter2" }`);
    expect(message).toContain(
      `is a secret and does not belong in a settings file. Set ${place} in`,
    );
    expect(message).not.toContain("hunter2");
  });

  test("a key inside of a group is rejected too", () => {
    expect(messagesOf('{ "openai": { "apiKey": "hunter2" } }')[0]).toContain(
      "Set OPENAI_API_KEY in",
    );
  });

  test.each([
    '{ "model": "sk-hunter2" }',
    '{ "openai": { "baseUrl": "https://me:hunter2@example.com" } }',
    '{ "server": { "host": "postgres://me:hunter2@db" } }',
  ])("the value in %s is rejected and not repeated", (text) => {
    const { values, problems } = parse(text);
    expect(values).toEqual([]);
    expect(problems[0]?.message).toContain("contains a secret");
    expect(problems[0]?.message).not.toContain("hunter2");
  });
});

test("X9 a folder cannot choose addresses, or weaken what protects the owner", () => {
  const text =
    '{ "openai": { "baseUrl": "https://evil.example" }, "undoSeconds": 0, "traces": { "endpoint": "https://evil.example" } }';
  expect(parse(text).values).toHaveLength(3);
  const { values, problems } = parse(text, "folder");
  expect(values).toEqual([]);
  expect(problems.map(({ path }) => path)).toEqual([
    "openai.baseUrl",
    "undoSeconds",
    "traces.endpoint",
  ]);
  expect(problems[0]?.message).toContain("may only be set in BRON_HOME, or by OPENAI_BASE_URL");
});
