import type { NotDone } from "@bron/protocol";
import type { Tool } from "../tool/tool.ts";
import { denialOf } from "../effect/denial.ts";
import { endUndone } from "../effect/end-unapproved.ts";
import type { Draft } from "../run/decide/draft.ts";
import {
  closeApproval,
  closeQuestion,
  endAction,
  endEffect,
  endInterrupted,
  endUnknown,
} from "./end-action.ts";
import { endClientAction, isCertainlyNotDone } from "../client-action/end-client-action.ts";
import type { OpenAction } from "../run/state/run-state.ts";

const runEnded: NotDone = { cause: "run_ended" };

/**
 * Ends an action because its run ends. An action that may have happened ends as unknown. Without
 * the tool, a running action counts as one that must not be repeated.
 */
export function cancelAction(draft: Draft, action: OpenAction, tool: Tool | undefined): void {
  const { effect, client } = action;
  if (client?.state === "finished" || client?.state === "expired")
    return endClientAction(draft, action, tool);
  closeQuestion(draft, action);
  if (client)
    draft.emit({
      type: "client_action",
      payload: { actionId: action.id, state: "canceled" },
    });
  if (mayHaveHappened(action, tool))
    return effect ? endUnknown(draft, action, effect) : endInterrupted(draft, action);
  if (!effect) return endAction(draft, action, { state: "canceled", notDone: runEnded });
  if (effect.isUndone) return endUndone(draft, action);
  const { approval } = effect;
  closeApproval(draft, action);
  endEffect(draft, action, approval?.state === "denied" ? "rejected" : "canceled", {
    error: { code: "approval_closed", message: "The task ended before this was done." },
    notDone: approval?.state === "denied" ? denialOf(approval) : runEnded,
  });
}

function mayHaveHappened({ state, effect, client }: OpenAction, tool: Tool | undefined): boolean {
  if (client) return !isCertainlyNotDone(client);
  // A client action that no program could take has not started.
  return state === "executing" && !tool?.client && (effect !== undefined || !tool?.repeatable);
}
