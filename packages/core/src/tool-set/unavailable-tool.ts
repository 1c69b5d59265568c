import type { ActionError } from "@bron/protocol";
import { actionError } from "../tool/action-error.ts";
import type { Tool } from "../tool/tool.ts";
import type { Draft } from "../run/decide/draft.ts";
import { closeApproval, closeQuestion, endAction, endEffect } from "../action/end-action.ts";
import type { OpenAction } from "../run/state/run-state.ts";
import type { RunTools } from "./run-tools.ts";

/**
 * Why an action that has not started cannot start: its tool is not among those of the run, or is
 * not the one that the model called. `tool` is undefined if this worker does not have it.
 *
 * The approval of a tool that the run brings is for the tool as it was, because others may have
 * changed it. A tool of ours changes with an update of Bron, which must not lose what was approved.
 * The version of its form says whether the effect is still what the owner saw.
 */
export function whyUnavailable(
  action: OpenAction,
  tool: Tool | undefined,
  { offered, brought }: Pick<RunTools, "offered" | "brought">,
): ActionError | undefined {
  const isAsked =
    action.question?.state === "pending" || action.effect?.approval?.state === "pending";
  // Another worker may have the tool, and the owner has not decided yet.
  if (!tool && isAsked) return undefined;
  const { tool: name, toolDigest } = action;
  const digest = offered.get(name);
  if (digest === undefined) return toolRemoved(name);
  // Logs of earlier versions do not have the digest of the called tool. A question does nothing.
  if (toolDigest === undefined || toolDigest === digest || action.question) return undefined;
  if (action.effect && !brought.has(name)) return undefined;
  return actionError(
    "tool_changed",
    { code: "tool_changed", tool: name },
    "Read its description, and call it again if it is still right.",
  );
}

export function toolRemoved(tool: string): ActionError {
  return actionError("tool_removed", { code: "tool_removed", tool }, "Continue without it.");
}

/** Ends an action that has not started, with its approval or question. */
export function endUnavailable(
  draft: Draft,
  action: OpenAction,
  error: ActionError,
  isEffect: boolean,
): void {
  closeQuestion(draft, action);
  closeApproval(draft, action);
  if (action.effect) return endEffect(draft, action, "failed", { error });
  endAction(draft, action, {
    state: "failed",
    error,
    ...(isEffect ? { unproposed: true } : {}),
  });
}
