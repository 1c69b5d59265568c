import type { JsonObject } from "@bron/protocol";
import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import type { SchemaReader } from "./schema-reader.ts";

/**
 * The compact notation: `title: string`, `limit?: number`, `tags: string[]`,
 * `size: enum(small | large)`, `prices: record(number)`, `item: product`, a nested map, a list with
 * the type of its items, and {} for any object.
 */
export function objectFromCompact(node: YAMLMap, path: string, reader: SchemaReader): JsonObject {
  if (node.items.length === 0) return { type: "object", properties: {} };
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const { key, value } of node.items) {
    const written = String(isScalar(key) ? key.value : key);
    const name = written.endsWith("?") ? written.slice(0, -1) : written;
    const { schema, isOptional } = memberFromCompact(value as Node, `${path}.${name}`, reader);
    properties[name] = schema;
    if (!written.endsWith("?") && !isOptional) required.push(name);
  }
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

export function typeFromCompact(node: Node, path: string, reader: SchemaReader): JsonObject {
  return memberFromCompact(node, path, reader).schema;
}

interface Member {
  readonly schema: JsonObject;
  /** `alias?` makes the member optional, like a question mark after its name. */
  readonly isOptional: boolean;
}

function memberFromCompact(node: Node, path: string, reader: SchemaReader): Member {
  if (isMap(node)) return { schema: objectFromCompact(node, path, reader), isOptional: false };
  if (isSeq(node)) {
    const [item, ...others] = node.items as Node[];
    if (item === undefined || others.length > 0)
      return reader.fail(node, path, "A list must have one entry: the type of its items.");
    const items = typeFromCompact(item, `${path}[]`, reader);
    return { schema: { type: "array", items }, isOptional: false };
  }
  const text = isScalar(node) ? node.value : undefined;
  if (typeof text !== "string")
    return reader.fail(node, path, "It must be a type, such as string or number[].");
  const isOptional = text.endsWith("?");
  const schema = schemaOf((isOptional ? text.slice(0, -1) : text).trim(), reader.imports);
  if (schema) return { schema, isOptional };
  return reader.fail(
    node,
    path,
    `"${text}" is not a type. Types are string, number, boolean, date, file, enum(a | b), record(type), type[] and the names under import.`,
  );
}

const simple: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date-time" },
  file: { type: "string", description: "A file" },
};

/** The title of a schema made from a contract, from which its type is generated. */
export const contractTitle = "Contract";

function schemaOf(type: string, imports: SchemaReader["imports"]): JsonObject | undefined {
  if (Object.hasOwn(simple, type)) return simple[type];
  if (type.endsWith("[]")) {
    const items = schemaOf(type.slice(0, -2).trim(), imports);
    return items && { type: "array", items };
  }
  const choices = /^enum\s*\(([^()]+)\)$/.exec(type)?.[1];
  if (choices !== undefined) {
    const values = choices.split("|").map((value) => value.trim());
    return values.includes("") ? undefined : { type: "string", enum: values };
  }
  const values = /^record\s*\((.+)\)$/.exec(type)?.[1];
  if (values !== undefined) {
    const additionalProperties = schemaOf(values.trim(), imports);
    return additionalProperties && { type: "object", additionalProperties };
  }
  if (Object.hasOwn(imports, type))
    return { type: "object", title: contractTitle, description: `Contract: ${type}` };
  return undefined;
}
