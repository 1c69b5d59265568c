import { skillFileName } from "@bron/protocol";
import { isMap, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { problem, type Problem } from "./skill-files.ts";

export interface FrontMatter {
  /** The values by key, as plain data. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The line in the file on which a key stands. */
  lineOf(key: string): number;
  /** The text after the front matter. */
  readonly body: string;
}

type Parsed =
  | { readonly ok: true; readonly frontMatter: FrontMatter }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const maxFrontMatterCharacters = 16 * 1024;
const fence = /^---[ \t]*$/;

/** Reads the YAML between the two lines of hyphens at the start of a SKILL.md. Never throws. */
export function parseFrontMatter(text: string): Parsed {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (!fence.test(lines[0] ?? ""))
    return failed(
      1,
      "The file must begin with a line ---, then name and description, then another line ---.",
    );
  const end = lines.findIndex((line, index) => index > 0 && fence.test(line));
  if (end === -1) return failed(1, "The line --- after the front matter is missing.");
  const yaml = lines.slice(1, end).join("\n");
  if (yaml.length > maxFrontMatterCharacters)
    return failed(1, `The front matter has more than ${maxFrontMatterCharacters} characters.`);
  const counter = new LineCounter();
  // The first line of the YAML is the second one of the file.
  const lineAt = (offset: number | undefined) =>
    offset === undefined ? 1 : counter.linePos(offset).line + 1;
  try {
    const document = parseDocument(yaml, {
      lineCounter: counter,
      version: "1.2",
      schema: "core",
      merge: false,
      prettyErrors: false,
    });
    const problems = document.errors.map(({ pos, message }) =>
      problem(skillFileName, sentence(message), lineAt(pos[0])),
    );
    if (problems.length > 0) return { ok: false, problems };
    const { contents } = document;
    if (!isMap(contents))
      return failed(2, "The front matter must have keys with values, such as name: my-skill.");
    const unsafe = findUnsafe(document);
    if (unsafe) return failed(lineAt(unsafe.offset), unsafe.message);
    const lines = new Map<string, number>();
    const values = new Map<string, unknown>();
    for (const { key, value } of contents.items) {
      if (!isScalar(key) || typeof key.value !== "string")
        return failed(lineAt(rangeOf(key)), "Each key must be a text.");
      lines.set(key.value, lineAt(rangeOf(key)));
      values.set(key.value, plain(value));
    }
    return {
      ok: true,
      frontMatter: { values, lineOf: (key) => lines.get(key) ?? 1, body: body(text, end) },
    };
  } catch {
    // A library for a whole language may fail in ways that it does not report.
    return failed(2, "The front matter is not valid YAML.");
  }
}

const failed = (line: number, message: string): Parsed => ({
  ok: false,
  problems: [problem(skillFileName, message, line)],
});

const plainTags = new Set(
  ["map", "seq", "str", "int", "float", "bool", "null"].map((kind) => `tag:yaml.org,2002:${kind}`),
);

/** Anchors can make a small file large, and tags can mean anything. No skill needs them. */
function findUnsafe(document: ReturnType<typeof parseDocument>) {
  let found: { readonly offset: number | undefined; readonly message: string } | undefined;
  let depth = 0;
  const refuse = (node: unknown, message: string) => {
    found ??= { offset: rangeOf(node), message };
    return visit.BREAK;
  };
  visit(document, {
    Alias: (_key, node) => refuse(node, "Anchors and aliases (& and *) can't be used here."),
    Node(_key, node, path) {
      depth = Math.max(depth, path.length);
      if (depth > 20) return refuse(node, "The values are nested too deeply.");
      if ("anchor" in node && node.anchor !== undefined)
        return refuse(node, "Anchors and aliases (& and *) can't be used here.");
      return node.tag !== undefined && !plainTags.has(node.tag)
        ? refuse(node, "Tags (!) can't be used here.")
        : undefined;
    },
  });
  return found;
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === "number" ? node.range[0] : undefined;
}

function plain(node: unknown): unknown {
  return typeof node === "object" && node !== null && "toJSON" in node
    ? (node as { toJSON(): unknown }).toJSON()
    : node;
}

const body = (text: string, end: number) =>
  text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .slice(end + 1)
    .join("\n");

const sentence = (message: string) => (message.endsWith(".") ? message : `${message}.`);
