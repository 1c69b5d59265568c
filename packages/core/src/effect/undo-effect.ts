import type { EffectView, NewEvent } from "@bron/protocol";
import { BronError, requestError } from "../errors.ts";

type Undoable = Pick<EffectView, "state" | "undoUntil">;

/**
 * Whether an effect that needed no approval can still be kept from starting. `now` is epoch
 * milliseconds by the clock of the store.
 */
export function canUndo({ state, undoUntil }: Undoable, now: number): boolean {
  return state === "approved" && undoUntil !== null && now < Date.parse(undoUntil);
}

/** Why it cannot be undone: it is missing, the owner was asked about it, or it is too late. */
export function undoError(effectId: string, effect: Undoable | undefined): BronError {
  if (!effect) return new BronError("not_found", `Effect ${effectId} not found.`);
  return requestError("approval_closed", { code: "undo_too_late" });
}

/** Ends the effect in the ledger. The holder of the run ends the action. */
export function undoneEvent(
  ownerId: string,
  { id, actionId, tool, digest }: Pick<EffectView, "id" | "actionId" | "tool" | "digest">,
): Extract<NewEvent, { type: "effect" }> {
  return {
    type: "effect",
    payload: {
      effectId: id,
      actionId,
      tool,
      state: "rejected",
      digest,
      undone: true,
      by: ownerId,
    },
  };
}
