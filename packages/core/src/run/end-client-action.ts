import type { JsonValue, Label } from "@bron/protocol";
import { cleanText } from "../context/clean-text.ts";
import { actionError } from "../tool/action-error.ts";
import { asJson } from "../tool/tool-json.ts";
import type { ClientSide, Tool } from "../tool/tool.ts";
import { parseClientResult } from "../tool/parse-client-result.ts";
import type { Draft } from "./draft.ts";
import { endAction, endEffect, endUnknown } from "./end-action.ts";
import type { OpenAction, OpenClientAction } from "./run-state.ts";

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
  const { result = null } = client;
  if (!tool?.client) return endDone(draft, action, asJson(result).output, untrusted);
  return endWithResult(draft, action, { tool, client: tool.client, result });
}

function endWithResult(
  draft: Draft,
  action: OpenAction,
  { tool, client, result }: { tool: Tool; client: ClientSide; result: JsonValue },
): void {
  const parsed = parseClientResult(client, result);
  if (parsed.ok) return endDone(draft, action, parsed.value, tool.labelOf(parsed.value));
  const why = { code: "result_invalid", program: client.program, detail: parsed.detail } as const;
  // The program says that it did it, so an effect may have happened.
  if (action.effect) return endUnknown(draft, action, action.effect, { why });
  endAction(draft, action, {
    state: "failed",
    error: actionError("tool_failed", why),
    label: untrusted,
  });
}

function endDone(draft: Draft, action: OpenAction, output: JsonValue, label: Label): void {
  if (action.effect) endEffect(draft, action, "done", { output, label });
  else endAction(draft, action, { state: "completed", output, label });
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
