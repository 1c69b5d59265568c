import type { NewEvent } from "@bron/protocol";

/** The event in the log of a task when its owner takes a request back. */
export function crossedOutEvent(ownerId: string, key: string): NewEvent {
  return { type: "intent", payload: { state: "crossed_out", key, by: ownerId } };
}
