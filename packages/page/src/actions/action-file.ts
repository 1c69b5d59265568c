import { BronError } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { isMap, isScalar, LineCounter, parseDocument, type Node, type YAMLMap } from "yaml";
import { objectFromCompact, typeFromCompact } from "./compact-schema.ts";
import { checkJsonSchema, isJsonSchema } from "./json-schema-notation.ts";
import type { FailAt, SchemaReader } from "./schema-reader.ts";

/** What a `.jay-action` file says about an action. */
export interface ActionMetadata {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema whose type is "object", whatever notation the file uses. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /**
   * `read`: it changes nothing. `change`: the visitor is asked before it runs. Bron asks also about
   * an action whose file does not say it.
   */
  readonly risk?: "read" | "change";
  /** Names of contracts by alias, for generated types. */
  readonly imports: Readonly<Record<string, string>>;
}

const maxFileCharacters = 100_000;
const memberNames = ["name", "description", "import", "inputSchema", "outputSchema", "risk"];

/**
 * Reads a `.jay-action` file. Schemas may be written as JSON Schema or in the compact notation
 * (`quantity?: number`). Throws invalid_input.
 */
export function parseActionFile(text: string, file: string): ActionMetadata {
  const lines = new LineCounter();
  const fail: FailAt = (node, path, problem) => {
    const offset = node?.range?.[0];
    const line = offset === undefined ? "" : `:${lines.linePos(offset).line}`;
    throw new BronError(
      "invalid_input",
      `${file}${line}: ${path === "" ? "" : `${path}: `}${problem}`,
    );
  };
  if (text.length > maxFileCharacters)
    return fail(undefined, "", `It is longer than ${maxFileCharacters} characters.`);
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true });
  const [error] = document.errors;
  if (error)
    throw new BronError(
      "invalid_input",
      `${file}:${lines.linePos(error.pos[0]).line}: ${error.message.split("\n", 1)[0] ?? ""}`,
    );
  const root = document.contents;
  if (!isMap(root))
    return fail(root ?? undefined, "", "It must be a map with a name and a description.");
  for (const { key } of root.items)
    if (isScalar(key) && !memberNames.includes(String(key.value)))
      fail(key, String(key.value), `It is not known. Known are ${memberNames.join(", ")}.`);
  const imports = importsOf(root, fail);
  const toJson = (node: Node) => node.toJS(document, { maxAliasCount: 0 }) as JsonObject;
  const reader = { fail, imports, toJson };
  return {
    name: textOf(root, "name", fail),
    description: textOf(root, "description", fail),
    inputSchema: inputSchemaOf(root, reader),
    ...outputSchemaOf(root, reader),
    ...riskOf(root, fail),
    imports,
  };
}

function inputSchemaOf(root: YAMLMap, reader: SchemaReader): JsonObject {
  const node = root.get("inputSchema", true) as Node | undefined;
  if (!isMap(node))
    return reader.fail(
      node ?? root,
      "inputSchema",
      "It is required, and must be a map. Use {} for no input.",
    );
  if (isJsonSchema(node)) {
    checkJsonSchema(node, "inputSchema", reader);
    return reader.toJson(node);
  }
  return objectFromCompact(node, "inputSchema", reader);
}

function outputSchemaOf(root: YAMLMap, reader: SchemaReader): Pick<ActionMetadata, "outputSchema"> {
  const node = root.get("outputSchema", true) as Node | undefined;
  if (node === undefined) return {};
  if (isJsonSchema(node)) {
    checkJsonSchema(node, "outputSchema", reader);
    return { outputSchema: reader.toJson(node) };
  }
  return { outputSchema: typeFromCompact(node, "outputSchema", reader) };
}

function importsOf(root: YAMLMap, fail: FailAt): Readonly<Record<string, string>> {
  const node = root.get("import", true) as Node | undefined;
  if (node === undefined) return {};
  if (!isMap(node)) return fail(node, "import", "It must be a map of aliases to contracts.");
  return Object.fromEntries(
    node.items.map(({ key, value }) => {
      const alias = String(isScalar(key) ? key.value : key);
      const contract = isScalar(value) ? value.value : undefined;
      if (typeof contract !== "string" || !contract.endsWith(".jay-contract"))
        return fail(value as Node, `import.${alias}`, "It must name a .jay-contract file.");
      return [alias, contract];
    }),
  );
}

function textOf(root: YAMLMap, name: string, fail: FailAt): string {
  const node = root.get(name, true) as Node | undefined;
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value !== "string" || value.trim() === "")
    return fail(node ?? root, name, "It is required, and must be a text.");
  return value.trim();
}

function riskOf(root: YAMLMap, fail: FailAt): Pick<ActionMetadata, "risk"> {
  const node = root.get("risk", true) as Node | undefined;
  if (node === undefined) return {};
  const value = isScalar(node) ? node.value : undefined;
  if (value !== "read" && value !== "change")
    return fail(node, "risk", 'It must be "read" or "change".');
  return { risk: value };
}
