import type { RunEvent } from "@bron/protocol";
import { toEventView } from "@bron/runtime";

/** Encodes an event for a stream, once per event object for all readers. */
export type EventFrames = (event: RunEvent) => Buffer;

export function createEventFrames(): EventFrames {
  const frames = new WeakMap<RunEvent, Buffer>();
  return (event) => {
    const cached = frames.get(event);
    if (cached) return cached;
    const frame = Buffer.from(
      `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(toEventView(event))}\n\n`,
    );
    frames.set(event, frame);
    return frame;
  };
}
