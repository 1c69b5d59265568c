import type { ActionError, JsonValue } from "@bron/protocol";
import { actionError } from "./action-error.ts";
import { nearestNames } from "./nearest-names.ts";
import type { Tool } from "./tool.ts";

export type ValidCall =
  | { readonly ok: true; readonly tool: Tool; readonly input: JsonValue }
  | { readonly ok: false; readonly error: ActionError };

/** The errors say what is wrong, where, and what to use instead. */
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
      error: actionError("unknown_tool", { code: "tool_does_not_exist", tool: name }, instead),
    };
  }
  const parsed = tool.parseInput(input);
  if (parsed.ok) return { ok: true, tool, input: parsed.value };
  const detail = parsed.problems.slice(0, 5).join("; ");
  const why = { code: "arguments_invalid", tool: name, detail } as const;
  return { ok: false, error: actionError("invalid_arguments", why) };
}
