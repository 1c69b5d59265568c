import type { Conversation } from "../conversation.ts";
import { isObject, type JsonObject } from "../wire.ts";

/**
 * The output of an auxiliary call of Bron: the plainest value that matches its schema. Undefined if
 * the request is not an auxiliary call.
 */
export function planAuxiliaryCall({
  system,
}: Conversation): { readonly value: unknown } | undefined {
  const schema = parseObject(system.split("\n").slice(1).at(-1) ?? "");
  const isCall = schema !== undefined && system.startsWith("[AUXILIARY CALL ");
  return isCall ? { value: plainValue(schema) } : undefined;
}

/** The first choice, nothing optional, the smallest number, the shortest text and list. */
function plainValue(schema: JsonObject): unknown {
  const list = (key: string) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : []);
  const number = (key: string) => (typeof schema[key] === "number" ? schema[key] : 0);
  const nested = (value: unknown) => plainValue(isObject(value) ? value : {});
  if ("const" in schema) return schema["const"];
  if (list("enum").length > 0) return list("enum")[0];
  const [choice] = [...list("anyOf"), ...list("oneOf")];
  if (choice !== undefined) return nested(choice);
  switch (schema["type"]) {
    case "object": {
      const properties = isObject(schema["properties"]) ? schema["properties"] : {};
      return Object.fromEntries(
        list("required").map((name) => [String(name), nested(properties[String(name)])]),
      );
    }
    case "array":
      return Array.from({ length: number("minItems") }, () => nested(schema["items"]));
    case "string":
      return "-".repeat(number("minLength"));
    case "integer":
    case "number":
      return number("minimum");
    case "boolean":
      return false;
    default:
      return null;
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
