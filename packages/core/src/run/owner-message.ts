import type { NewEvent } from "@bron/protocol";
import type { OwnerMessage } from "../ports/runs.ts";

/** The event in the log of a run under way when its owner says something. */
export function ownerMessageEvent(
  ownerId: string,
  { messageId, content }: OwnerMessage,
): Extract<NewEvent, { type: "owner_message" }> {
  return { type: "owner_message", payload: { messageId, content, by: ownerId } };
}
