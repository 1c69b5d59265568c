import type { NewEvent } from "@bron/protocol";
import { BronError } from "../errors.ts";
import type { OwnerMessage } from "../ports/runs/runs.ts";

/** The event in the log of a run under way when its owner says something. */
export function ownerMessageEvent(
  ownerId: string,
  message: OwnerMessage,
): Extract<NewEvent, { type: "owner_message" }> {
  return { type: "owner_message", payload: { ...message, by: ownerId } };
}

export type SaidBefore = Pick<OwnerMessage, "content" | "context" | "asTyped">;

/**
 * Throws conflict if the key of an earlier message comes with other words or another context, or if
 * only one of them is as typed.
 */
export function checkSameMessage(
  earlier: SaidBefore,
  { content, context = [], asTyped }: OwnerMessage,
): void {
  if (
    earlier.content !== content ||
    earlier.asTyped !== asTyped ||
    !isSameList(earlier.context ?? [], context)
  )
    throw new BronError("conflict", "This idempotency key was already used for another message.");
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
