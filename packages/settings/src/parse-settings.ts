import { nearestNames } from "@bron/core";
import { spellOut } from "@bron/protocol";
import {
  createScanner,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { isSecretValue, secretNameAdvice } from "./secrets.ts";
import { settingByKey, settingGroups, settingsTable, type Setting } from "./settings-table.ts";

/** A position in a file. Lines and columns start at 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface SettingsProblem extends Position {
  readonly file: string;
  /** The path of the setting, such as `log.level`. Empty for the file as a whole. */
  readonly path: string;
  /** Begins with the file, the line and the column. Never repeats a value. */
  readonly message: string;
}

export interface SettingValue extends Position {
  readonly key: string;
  readonly variable: string;
  readonly file: string;
  readonly value: boolean | number | string;
}

export interface ParsedSettings {
  /** Only the valid ones. */
  readonly values: readonly SettingValue[];
  readonly problems: readonly SettingsProblem[];
}

/** `home` may set everything, `folder` what `settingsTable` allows. */
export type SettingsPlace = "home" | "folder";

const maxDepth = 16;
const maxProblems = 20;
const maxNameLength = 60;

/** Parses a settings file (JSON with comments and trailing commas). Never throws. */
export function parseSettings(
  bytes: Uint8Array,
  { file, place }: { readonly file: string; readonly place: SettingsPlace },
): ParsedSettings {
  const text = decode(bytes);
  const reader = createReader(file, text ?? "");
  if (text === undefined) reader.report(0, "", "is not valid UTF-8");
  else if (text.trim() !== "") readTree(text, reader, place);
  return { values: reader.values, problems: reader.problems };
}

type Reader = ReturnType<typeof createReader>;

function createReader(file: string, text: string) {
  const values: SettingValue[] = [];
  const problems: SettingsProblem[] = [];
  return {
    values,
    problems,
    report(offset: number, path: string, words: string) {
      if (problems.length >= maxProblems) return;
      const position = positionAt(text, offset);
      const message = `${file}:${position.line}:${position.column}: ${path === "" ? "The file" : path} ${words}.`;
      problems.push({ file, path, ...position, message });
    },
    add(offset: number, { key, variable }: Setting, value: SettingValue["value"]) {
      values.push({ key, variable, file, value, ...positionAt(text, offset) });
    },
  };
}

function readTree(text: string, reader: Reader, place: SettingsPlace): void {
  const tooDeep = offsetBelow(text, maxDepth);
  if (tooDeep !== undefined) {
    reader.report(tooDeep, "", `has more than ${maxDepth} levels`);
    return;
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  for (const { error, offset } of errors.slice(0, maxProblems))
    reader.report(offset, "", `is not valid JSON with comments: ${wordsOf(error)}`);
  if (errors.length > 0 || !root) return;
  if (root.type !== "object") reader.report(root.offset, "", "must contain an object");
  else
    readObject(
      root,
      "",
      (path, key, value) => readEntry(path, [key, value], reader, place),
      reader,
    );
}

function readObject(
  node: Node,
  prefix: string,
  read: (path: string, key: Node, value: Node) => void,
  reader: Reader,
): void {
  const seen = new Set<string>();
  for (const { children } of node.children ?? []) {
    const [key, value] = children ?? [];
    if (!key || !value) continue;
    const path = `${prefix}${shorten(String(key.value))}`;
    if (seen.has(path)) reader.report(key.offset, path, "is set twice");
    else read(path, key, value);
    seen.add(path);
  }
}

function readEntry(
  path: string,
  [key, node]: readonly [Node, Node],
  reader: Reader,
  place: SettingsPlace,
): void {
  if (path === "$schema") return;
  const setting = settingByKey.get(path);
  if (setting) return readValue(setting, key, node, { reader, place });
  if (!settingGroups.has(path)) return reader.report(key.offset, path, unknownWords(path));
  if (node.type !== "object") return reader.report(node.offset, path, "must be an object");
  readObject(
    node,
    `${path}.`,
    (inner, innerKey, value) => readEntry(inner, [innerKey, value], reader, place),
    reader,
  );
}

function readValue(
  setting: Setting,
  key: Node,
  node: Node,
  { reader, place }: { readonly reader: Reader; readonly place: SettingsPlace },
): void {
  const { data, error } = setting.schema.safeParse(getNodeValue(node));
  if (typeof node.value === "string" && isSecretValue(node.value))
    reader.report(node.offset, setting.key, secretValueWords);
  else if (error)
    reader.report(node.offset, setting.key, error.issues[0]?.message ?? "is not valid");
  else if (place === "folder" && !setting.inFolder)
    reader.report(
      key.offset,
      setting.key,
      `may only be set in BRON_HOME, or by ${setting.variable}`,
    );
  else reader.add(key.offset, setting, data);
}

const secretValueWords =
  "contains a secret, which does not belong in a settings file. Set it in the environment instead";

function unknownWords(path: string): string {
  const byVariable = settingsTable.find(({ variable }) => variable === path);
  if (byVariable) return `is an environment variable. The setting is ${byVariable.key}`;
  const advice = secretNameAdvice(path);
  if (advice !== undefined) return advice;
  const known = [...settingByKey.keys(), ...settingGroups];
  // `level` at the top is more likely `log.level` than a misspelled name.
  const moved = known.find((name) => name.endsWith(`.${path.slice(path.lastIndexOf(".") + 1)}`));
  const nearest = moved ?? nearestNames(path, known, 1)[0];
  return nearest === undefined
    ? "is not a setting. See bron settings show"
    : `is not a setting. The nearest name is ${nearest}`;
}

function wordsOf(error: ParseError["error"]): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
}

/** Escapes what a terminal would interpret, because the name comes from the file. */
function shorten(name: string): string {
  const shown = spellOut(name);
  return shown.length > maxNameLength ? `${shown.slice(0, maxNameLength)}…` : shown;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return {
    line: before.split("\n").length,
    column: offset - before.lastIndexOf("\n"),
  };
}

/** The parser is recursive, so a file of brackets would overflow its stack. */
function offsetBelow(text: string, levels: number): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  scanner.scan();
  // The first character tells the kind of a token. A string begins with a quotation mark.
  for (let at = 0; (at = scanner.getTokenOffset()) < text.length; scanner.scan()) {
    const first = text[at];
    if (first === "{" || first === "[") depth += 1;
    if (first === "}" || first === "]") depth -= 1;
    if (depth > levels) return at;
  }
  return undefined;
}
