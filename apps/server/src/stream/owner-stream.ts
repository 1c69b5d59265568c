import type { RunChange } from "@bron/protocol";
import type { ServerResponse } from "node:http";
import type { OpenStream } from "./run-stream.ts";
import { openSse, type StreamTimes } from "./sse-response.ts";

export interface OwnerStreamOptions {
  readonly outgoing: ServerResponse;
  readonly times: StreamTimes;
  readonly follow: (follower: {
    onChange(changes: readonly RunChange[]): void;
    onGap(): void;
  }) => () => void;
}

/**
 * Changes of all runs of an owner. It has no positions: a reader that comes, or comes back, reads its lists anew, which `reset` tells it to do.
 * For one that is behind only the last state of each run is kept.
 */
export function openOwnerStream({ outgoing, times, follow }: OwnerStreamOptions): OpenStream {
  const behind = new Map<string, RunChange>();
  let isBehind = false;
  let stop = () => {};
  const { close, isOver, whenRead } = openSse(outgoing, times, () => stop());
  const write = (change: RunChange) =>
    outgoing.write(`event: run\ndata: ${JSON.stringify(change)}\n\n`);
  const catchUp = () => {
    isBehind = false;
    const changes = [...behind.values()];
    behind.clear();
    take(changes);
  };
  const take = (changes: readonly RunChange[]) => {
    for (const change of changes) {
      if (isOver()) return;
      if (isBehind) behind.set(change.run.id, change);
      else if (
        (write(change),
        outgoing.writableNeedDrain && outgoing.writableLength > times.maxBufferedBytes)
      ) {
        isBehind = true;
        whenRead(catchUp);
      }
    }
  };
  const reset = () => {
    if (!isOver()) outgoing.write("event: reset\ndata: {}\n\n");
  };
  // First the following, then the word to read anew: what changes in between is told.
  stop = follow({ onChange: take, onGap: reset });
  reset();
  return { close };
}
