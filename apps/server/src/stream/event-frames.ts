import type { RunEvent } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";

/** Encodes an event for a stream, once per event object for all readers. */
export type EventFrames = (event: RunEvent) => Buffer;

export function createEventFrames({ viewOf }: Pick<Runtime, "viewOf">): EventFrames {
  const frames = new WeakMap<RunEvent, Buffer>();
  return (event) => {
    const cached = frames.get(event);
    if (cached) return cached;
    const frame = Buffer.from(
      `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(viewOf(event))}\n\n`,
    );
    frames.set(event, frame);
    return frame;
  };
}
