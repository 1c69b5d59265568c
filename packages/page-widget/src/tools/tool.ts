import type { JsonObject, ToolInputSchema } from "@bron/page/wire";

/**
 * `free` changes nothing. `reversible` changes what the page shows. `ask` needs the visitor's
 * approval each time. `never` is not done at all.
 */
export type Risk = "free" | "reversible" | "ask" | "never";

/** A call that was checked and could start now. */
export interface PreparedCall {
  readonly risk: Risk;
  /** A verb and its object: Click "Place order". */
  readonly words: string;
  /** What the visitor should see before an approval, as names and values. */
  readonly details: readonly (readonly [name: string, value: string])[];
  readonly element: Element | undefined;
  /** Throws `ToolProblem`. */
  run(signal: AbortSignal): Promise<JsonObject>;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  /** Finds the element and judges the call. It changes nothing. Throws `ToolProblem`. */
  prepare(args: JsonObject): PreparedCall;
}

/** Why a call was not carried out, in words for the model. */
export class ToolProblem {
  readonly message: string;
  /** Lines about elements that the call may have meant. */
  readonly candidates: readonly string[];

  constructor(message: string, candidates: readonly string[] = []) {
    this.message = message;
    this.candidates = candidates;
  }
}

type JsonValue = JsonObject[string];

/** An argument as text. Models write "3" and 3 for the same thing. */
export function argText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

/** An id such as e12, with or without its brackets. */
export function idArg(value: JsonValue | undefined): string {
  return argText(value).replaceAll(/[[\]\s]/g, "");
}

export function schemaOf(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): ToolInputSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** What is wrong with the arguments, or undefined. Knows as much of JSON Schema as tools use. */
export function checkArgs(schema: JsonObject, value: JsonValue, path = "args"): string | undefined {
  const { type } = schema;
  if (typeof type === "string" && !isOfType(value, type)) return `${path} must be of type ${type}.`;
  const allowed = schema.enum as readonly JsonValue[] | undefined;
  if (Array.isArray(allowed) && !allowed.includes(value))
    return `${path} must be one of ${allowed.slice(0, 20).map(String).join(", ")}.`;
  if (Array.isArray(value) && isObject(schema.items)) {
    const { items } = schema;
    return firstOf(value.map((item, index) => checkArgs(items, item, `${path}[${index}]`)));
  }
  if (!isObject(value)) return undefined;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : [];
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${path} lacks "${missing}".`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (schema.additionalProperties === false && unknown !== undefined)
    return `${path} has no "${unknown}". It has: ${Object.keys(properties).join(", ") || "nothing"}.`;
  return firstOf(
    Object.entries(value).map(([name, item]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return isObject(inner) ? checkArgs(inner, item, `${path}.${name}`) : undefined;
    }),
  );
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  return typeof value === type;
}
