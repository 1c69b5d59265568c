import type { JsonValue, Label } from "@bron/protocol";
import { cleanText } from "../context/clean-text.ts";
import { actionError } from "../tool/action-error.ts";
import { isLongOutput, limitDepth, type ToolOutput } from "../tool/tool-json.ts";
import type { Tool } from "../tool/tool.ts";
import { parseClientResult } from "../tool/parse-client-result.ts";
import type { Draft } from "../run/decide/draft.ts";
import { endAction, endEffect, endUnknown } from "../action/end-action.ts";
import type { OpenAction, OpenClientAction } from "../run/state/run-state.ts";

/** Text of a program whose tool is not known here, or that is not a result. */
const untrusted: Label = { origin: "tool", trusted: false, private: true, readers: [] };

/** Whether the action cannot have been carried out, or what was begun has been undone. */
export function isCertainlyNotDone({ isTaken, ifExpired }: OpenClientAction): boolean {
  return !isTaken || ifExpired === "failed";
}

/**
 * Ends an action that a program finished or that has expired. Without the tool, the result is kept
 * as untrusted.
 */
export function endClientAction(draft: Draft, action: OpenAction, tool: Tool | undefined): void {
  const { client } = action;
  if (client?.state === "expired") return endExpiredClientAction(draft, action, client);
  if (client?.state !== "finished") return;
  if (client.error !== undefined) return endNotDone(draft, action, client.error);
  const parsed = readResult(client, tool);
  if (parsed.ok) {
    const { value: output, label } = parsed;
    return recordResult(draft, action, { output, label });
  }
  const { program } = client;
  const why = { code: "result_invalid", program, detail: parsed.detail } as const;
  // The program says that it did it, so an effect may have happened.
  if (action.effect) return endUnknown(draft, action, action.effect, { why });
  endAction(draft, action, {
    state: "failed",
    error: actionError("tool_failed", why),
    label: untrusted,
  });
}

type Result =
  | { readonly ok: true; readonly value: JsonValue; readonly label: Label }
  | { readonly ok: false; readonly detail: string };

function readResult({ result = null }: OpenClientAction, tool: Tool | undefined): Result {
  if (!tool?.client) return { ok: true, value: limitDepth(result), label: untrusted };
  const parsed = parseClientResult(tool.client, result);
  return parsed.ok ? { ...parsed, label: tool.labelOf(parsed.value) } : parsed;
}

/** The result of a finished action, if it must be kept as an artifact. */
export function longResultOf(
  { client }: OpenAction,
  tool: Tool | undefined,
): Extract<Result, { ok: true }> | undefined {
  if (client?.state !== "finished" || client.error !== undefined) return undefined;
  const result = readResult(client, tool);
  return result.ok && isLongOutput(result.value) ? result : undefined;
}

/** Records what a program sent, or the preview of it. */
export function recordResult(
  draft: Draft,
  action: OpenAction,
  { output, label, kept }: ToolOutput,
): void {
  const end = { output, label: label ?? untrusted, kept };
  if (action.effect) endEffect(draft, action, "done", end);
  else endAction(draft, action, { state: "completed", ...end });
}

/** The program says that it did nothing, and why. */
function endNotDone(draft: Draft, action: OpenAction, message: string): void {
  const text = cleanText(message);
  const end = {
    error: {
      code: action.effect ? ("effect_not_done" as const) : ("tool_failed" as const),
      message: text,
    },
    label: untrusted,
  };
  if (action.effect) endEffect(draft, action, "failed", end);
  else endAction(draft, action, { state: "failed", ...end });
}

function endExpiredClientAction(draft: Draft, action: OpenAction, client: OpenClientAction): void {
  const { program, isTaken } = client;
  const why = { code: isTaken ? "client_late" : "client_absent", program } as const;
  if (isCertainlyNotDone(client)) {
    const error = actionError("tool_timeout", why);
    if (action.effect) endEffect(draft, action, "failed", { error });
    else endAction(draft, action, { state: "failed", error });
  } else if (action.effect) endUnknown(draft, action, action.effect, { why });
  else endAction(draft, action, { state: "unknown", error: actionError("effect_unknown", why) });
}
