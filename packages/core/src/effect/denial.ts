import type { NotDone } from "@bron/protocol";
import type { OpenApproval } from "../run/state/run-state.ts";

type Denied = Pick<OpenApproval, "reply" | "undone" | "reason">;

/** Why the owner denied an approval. */
export function denialOf({ reply, undone, reason }: Denied): NotDone {
  if (reply !== undefined) return { cause: "replied", message: reply };
  if (undone) return { cause: "undone" };
  return { cause: "denied", ...(reason ? { message: reason } : {}) };
}

/** The message that tells the model why an approval was denied. */
export function denialMessage({ reply, undone, reason }: Denied): string {
  if (reply !== undefined) return `The user answered: ${reply}`;
  if (undone) return "The user undid the approval, so it was not done.";
  return `The user declined${reason ? `: ${reason}` : "."}`;
}
