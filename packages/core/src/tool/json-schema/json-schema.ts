import type { JsonObject, JsonValue } from "@bron/protocol";
import { BronError } from "../../errors.ts";

/** A schema in the subset of JSON Schema that `validateValue` knows. */
export type Schema = JsonObject | boolean;

const maxNodes = 20_000;
const maxDepth = 64;

/**
 * Checks that a schema of a stranger can be used: it describes an object, has limited size and
 * depth, and refers only to itself. Throws invalid_input.
 */
export function requireUsableSchema(schema: JsonObject, tool: string): void {
  const fail = (why: string) =>
    new BronError("invalid_input", `${tool}: the input schema cannot be used. ${why}`);
  if (schema["type"] !== "object") throw fail('Its type must be "object".');
  const open: { value: JsonValue; depth: number }[] = [{ value: schema, depth: 1 }];
  let nodes = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (++nodes > maxNodes) throw fail(`It has more than ${maxNodes} values.`);
    if (depth > maxDepth) throw fail(`It is nested more than ${maxDepth} levels deep.`);
    if (typeof value !== "object" || value === null) continue;
    const reference = Array.isArray(value) ? undefined : value["$ref"];
    if (typeof reference === "string" && resolveReference(schema, reference) === undefined)
      throw fail(`It refers to "${reference.slice(0, 200)}", which is not a part of it.`);
    for (const member of Object.values(value)) open.push({ value: member, depth: depth + 1 });
  }
}

/** The part of a schema that a `$ref` names by a JSON pointer. */
export function resolveReference(root: JsonObject, reference: string): Schema | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let part: JsonValue | undefined = root;
  for (const token of reference.split("/").slice(1)) {
    const key = decodeToken(token);
    if (typeof part !== "object" || part === null || key === undefined) return undefined;
    part = Object.hasOwn(part, key) ? (part as Record<string, JsonValue>)[key] : undefined;
  }
  return isSchema(part) ? part : undefined;
}

function decodeToken(token: string): string | undefined {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}

export function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
