import type { JsonObject, JsonValue } from "./json.ts";
import type { McpServerState } from "./mcp.ts";

/** Sentences for the states. To translate them, pass another table. */
export const mcpStateWords: Readonly<Record<McpServerState, string>> = {
  untested: "Not tested yet. Test it to see its tools.",
  held: "It has tools that wait for you to accept them.",
  ready: "Ready. It starts when a task uses it.",
  running: "Connected.",
  failed: "It can't be used now.",
  needs_sign_in: "You need to sign in.",
  invalid: "Its entry can't be used.",
  untrusted: "Its folder isn't trusted.",
  disabled: "Turned off in its file.",
};

/** The sentence of a claim, such as "says that it only reads". */
export function describeHint(hint: string, value: boolean): string {
  const known = hintWords[hint];
  return known ? known[value ? 0 : 1] : `says ${hint}: ${value ? "yes" : "no"}`;
}

const hintWords: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnlyHint: ["says that it only reads", "says that it changes things"],
  destructiveHint: ["says that it may delete or overwrite", "says that it deletes nothing"],
  idempotentHint: ["says that repeating it is harmless", "says that repeating it has an effect"],
  openWorldHint: ["says that it reaches other services", "says that it stays within its own data"],
};

/**
 * Everything that an input schema says, one line for each value: `name.type: string`. Nothing is
 * left out, because a description may hide anywhere in it.
 */
export function schemaLines(schema: JsonObject): string[] {
  const lines: string[] = [];
  const add = (value: JsonValue, path: readonly string[]): void => {
    if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        // The names of the inputs say enough.
        const isContainer = key === "properties" && !Array.isArray(value);
        add(inner, isContainer ? path : [...path, key]);
      }
    } else lines.push(`${path.join(".")}: ${String(value)}`);
  };
  add(schema, []);
  return lines.filter((line) => line !== "type: object");
}
