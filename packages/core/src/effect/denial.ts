import type { JsonObject, NotDone } from "@bron/protocol";
import type { OpenApproval } from "../run/state/run-state.ts";

type Denied = Pick<OpenApproval, "reply" | "undone" | "reason">;

/** Why the owner denied an approval. */
export function denialOf({ reply, undone, reason }: Denied): NotDone {
  if (reply !== undefined) return { cause: "replied", message: reply };
  if (undone) return { cause: "undone" };
  return { cause: "denied", ...(reason ? { message: reason } : {}) };
}

/**
 * The message that tells the model why an approval was denied. A reply is about the form that the
 * owner saw, so it comes with the fields that they had edited before.
 */
export function denialMessage({ reply, undone, reason }: Denied, edited: JsonObject = {}): string {
  if (reply !== undefined) {
    const isEdited = Object.keys(edited).length > 0;
    const before = isEdited ? `The user had edited it: ${JSON.stringify(edited)}\n` : "";
    return `${before}The user answered: ${reply}`;
  }
  if (undone) return "The user undid the approval, so it was not done.";
  return `The user declined${reason ? `: ${reason}` : "."}`;
}
