import { BronError, nearestNames } from "@bron/core";
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parseTree,
  type Edit,
  type Node,
} from "jsonc-parser";
import { isSecretValue } from "./secrets.ts";
import { settingByKey, type Setting } from "./settings-table.ts";

/** Throws not_found with the nearest names. */
export function findSetting(key: string): Setting {
  const setting = settingByKey.get(key);
  if (setting) return setting;
  const nearest = nearestNames(key, settingByKey.keys());
  throw new BronError("not_found", `There is no setting ${key}.`, {
    details: {
      hint:
        nearest.length === 0
          ? "List the settings with: bron settings show"
          : `Did you mean ${nearest.join(" or ")}?`,
    },
  });
}

/** Reads a value from the command line as the setting's type. Throws invalid_input. */
export function parseSettingValue(setting: Setting, text: string): boolean | number | string {
  if (isSecretValue(text))
    throw new BronError("invalid_input", `${setting.key} contains a secret.`, {
      details: { hint: "Set it in the environment instead." },
    });
  const candidates = [
    text,
    ...(/^\d+(?:\.\d+)?$/.test(text) ? [Number(text)] : []),
    ...(text === "true" || text === "false" ? [text === "true"] : []),
  ];
  const results = candidates.map((candidate) => setting.schema.safeParse(candidate));
  const found = results.find(({ success }) => success);
  if (found?.success === true) return found.data;
  const words = results.at(-1)?.error?.issues[0]?.message ?? "is not valid";
  throw new BronError("invalid_input", `${setting.key} ${words}.`);
}

/**
 * Returns the text of a valid settings file with one setting changed. Keeps its comments and its
 * formatting.
 */
export function setSetting(text: string, key: string, value: boolean | number | string): string {
  const path = key.split(".");
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (!root) return `${JSON.stringify(nest(path, value), null, 2)}\n`;
  if (findNodeAtLocation(root, path)) return applyEdits(text, modify(text, path, value, {}));
  const group = path.length > 1 ? findNodeAtLocation(root, path.slice(0, 1)) : root;
  const edits = group
    ? insertInto(text, group, path.slice(-1), value)
    : insertInto(text, root, path, value);
  return applyEdits(text, edits);
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/**
 * Inserts a property after the last one of an object. `modify` would put it between that property
 * and a comment on the same line, which would then seem to describe the new one.
 */
function insertInto(text: string, object: Node, path: readonly string[], value: unknown): Edit[] {
  const last = object.children?.at(-1);
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(text, object.offset);
  const unit = /^\t/m.test(text) ? "\t" : "  ";
  const indent =
    last && isFirstOnLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit;
  const property = JSON.stringify(nest(path, value), null, unit)
    .split("\n")
    .slice(1, -1)
    .map((line) => `${indent}${line.slice(unit.length)}`)
    .join(lineBreak);
  if (!last) {
    const inner = text.slice(object.offset + 1, object.offset + object.length - 1);
    const close = object.offset + object.length - 1;
    // Spaces before the brace are replaced; comments stay.
    const start = object.offset + 1 + inner.trimEnd().length;
    const content = `${lineBreak}${property}${lineBreak}${outer}`;
    return [{ offset: start, length: close - start, content }];
  }
  const end = last.offset + last.length;
  const rest = /^[^\S\r\n]*(,?)[^\S\r\n]*(?:\/\/[^\r\n]*|\/\*[^*\r\n]*\*\/)?/.exec(text.slice(end));
  const hasComma = rest?.[1] === ",";
  const after = end + (rest?.[0].trimEnd().length ?? 0);
  const close = object.offset + object.length - 1;
  const isClosedOnLine = !text.slice(after, close).includes("\n");
  return [
    ...(hasComma ? [] : [{ offset: end, length: 0, content: "," }]),
    {
      offset: after,
      length: isClosedOnLine ? close - after : 0,
      content: `${lineBreak}${property}${hasComma ? "," : ""}${isClosedOnLine ? `${lineBreak}${outer}` : ""}`,
    },
  ];
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[^\S\n]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}
