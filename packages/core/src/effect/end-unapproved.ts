import { denialMessage, denialOf } from "./denial.ts";
import type { Draft } from "../run/decide/draft.ts";
import { endAction, endEffect } from "../action/end-action.ts";
import type { OpenAction, OpenApproval } from "../run/state/run-state.ts";

/** The ends of an effect that the owner does not allow. The messages are for the model. */

export function endDenied(draft: Draft, action: OpenAction, approval: OpenApproval): void {
  endEffect(draft, action, "rejected", {
    error: { code: "approval_closed", message: denialMessage(approval, action.effect?.changes) },
    notDone: denialOf(approval),
  });
}

export function endExpired(draft: Draft, action: OpenAction, before: "decided" | "used"): void {
  const missed = before === "decided" ? "it was decided" : "it could be used";
  endEffect(draft, action, "expired", {
    error: {
      code: "approval_closed",
      message: `The approval expired before ${missed}. Nothing was done.`,
    },
    notDone: { cause: "expired" },
  });
}

export function endClosed(
  draft: Draft,
  action: OpenAction,
  state: "superseded" | "canceled",
): void {
  endEffect(draft, action, state, {
    error: {
      code: "approval_closed",
      message: "This action was replaced or canceled. Nothing was done.",
    },
    notDone: { cause: "closed" },
  });
}

/** Ends an action whose effect needed no approval and was undone. The ledger says so already. */
export function endUndone(draft: Draft, action: OpenAction): void {
  endAction(draft, action, {
    state: "rejected",
    error: { code: "approval_closed", message: "The user undid this in time. Nothing was done." },
    notDone: { cause: "undone" },
  });
}
