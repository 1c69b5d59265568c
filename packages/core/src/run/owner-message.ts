import type { NewEvent } from "@bron/protocol";
import { BronError } from "../errors.ts";
import type { OwnerMessage } from "../ports/runs.ts";

/** The event in the log of a run under way when its owner says something. */
export function ownerMessageEvent(
  ownerId: string,
  message: OwnerMessage,
): Extract<NewEvent, { type: "owner_message" }> {
  return { type: "owner_message", payload: { ...message, by: ownerId } };
}

/** Throws conflict if the key of an earlier message comes with other words or another context. */
export function checkSameMessage(
  earlier: Pick<OwnerMessage, "content" | "context">,
  { content, context = [] }: OwnerMessage,
): void {
  if (earlier.content !== content || !isSameList(earlier.context ?? [], context))
    throw new BronError("conflict", "This idempotency key was already used for another message.");
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
