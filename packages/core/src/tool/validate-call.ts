import type { JsonValue } from "@bron/protocol";
import type { CodedError } from "../errors.ts";
import { nearestNames } from "./nearest-names.ts";
import type { Tool } from "./tool.ts";

export type ValidCall =
  | { readonly ok: true; readonly tool: Tool; readonly input: JsonValue }
  | { readonly ok: false; readonly error: CodedError };

/** The messages are for the model. They say what is wrong, where, and what to use instead. */
export function validateCall(
  tools: ReadonlyMap<string, Tool>,
  name: string,
  input: JsonValue,
): ValidCall {
  const tool = tools.get(name);
  if (!tool) {
    const near = nearestNames(name, tools.keys());
    const instead =
      near.length > 0
        ? `Did you mean ${near.join(", ")}?`
        : `Available tools: ${[...tools.keys()].join(", ") || "none"}.`;
    return {
      ok: false,
      error: { code: "unknown_tool", message: `There is no tool "${name}". ${instead}` },
    };
  }
  const parsed = tool.inputSchema.safeParse(input);
  if (parsed.success) return { ok: true, tool, input: parsed.data as JsonValue };
  const issues = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  return {
    ok: false,
    error: {
      code: "invalid_arguments",
      message: `Invalid arguments for ${name}: ${issues.join("; ")}`,
    },
  };
}
