import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { SchemaReader } from "./schema-reader.ts";

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];

/**
 * Whether a schema is written as JSON Schema. In the compact notation, `type` and `properties` would
 * be the names of fields, so both must be as JSON Schema has them.
 */
export function isJsonSchema(node: Node | null | undefined): boolean {
  if (!isMap(node)) return false;
  const type: unknown = node.get("type");
  if (type === "object") return isMap(node.get("properties", true));
  if (type === "array") return isMap(node.get("items", true));
  return false;
}

/** Throws invalid_input at the first type that JSON Schema does not know, at any depth. */
export function checkJsonSchema(node: Node, path: string, reader: SchemaReader): void {
  if (!isMap(node)) return reader.fail(node, path, "It must be a map.");
  checkType(node.get("type", true), path, reader);
  const properties = node.get("properties", true) as Node | undefined;
  if (properties !== undefined) {
    if (!isMap(properties))
      return reader.fail(properties, `${path}.properties`, "It must be a map.");
    for (const { key, value } of properties.items)
      checkJsonSchema(value as Node, `${path}.${String(isScalar(key) ? key.value : key)}`, reader);
    checkRequired(node.get("required", true), properties, path, reader);
  }
  for (const name of ["items", "additionalProperties", "not"]) {
    const inner = node.get(name, true) as Node | undefined;
    if (isMap(inner)) checkJsonSchema(inner, `${path}.${name}`, reader);
  }
  for (const name of ["anyOf", "oneOf", "allOf"]) {
    const choices = node.get(name, true) as Node | undefined;
    if (isSeq(choices))
      choices.items.forEach((choice, index) =>
        checkJsonSchema(choice as Node, `${path}.${name}[${index}]`, reader),
      );
  }
}

function checkType(node: Node | undefined, path: string, { fail }: SchemaReader): void {
  if (node === undefined) return;
  const named: unknown[] = isSeq(node)
    ? node.items.map((item) => (isScalar(item) ? item.value : undefined))
    : [isScalar(node) ? node.value : undefined];
  const unknown = named.find((type) => typeof type !== "string" || !types.includes(type));
  if (unknown !== undefined || named.length === 0)
    fail(
      node,
      `${path}.type`,
      `"${String(unknown)}" is not a type. Types are ${types.join(", ")}.`,
    );
}

function checkRequired(
  node: Node | undefined,
  properties: { has(key: unknown): boolean },
  path: string,
  { fail }: SchemaReader,
): void {
  if (node === undefined) return;
  if (!isSeq(node)) return fail(node, `${path}.required`, "It must be a list of names.");
  for (const item of node.items) {
    const name = isScalar(item) ? item.value : undefined;
    if (typeof name !== "string" || !properties.has(name))
      fail(item as Node, `${path}.required`, `"${String(name)}" is not one of the properties.`);
  }
}
