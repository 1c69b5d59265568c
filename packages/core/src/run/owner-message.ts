import type { NewEvent } from "@bron/protocol";
import { BronError } from "../errors.ts";
import type { OwnerMessage } from "../ports/runs.ts";

/** The event in the log of a run under way when its owner says something. */
export function ownerMessageEvent(
  ownerId: string,
  { messageId, content }: OwnerMessage,
): Extract<NewEvent, { type: "owner_message" }> {
  return { type: "owner_message", payload: { messageId, content, by: ownerId } };
}

/** Throws conflict if the key of an earlier message comes with other words. */
export function checkSameMessage(earlier: string, { content }: OwnerMessage): void {
  if (earlier !== content)
    throw new BronError("conflict", "This idempotency key was already used for another message.");
}
