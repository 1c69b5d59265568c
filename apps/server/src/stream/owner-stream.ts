import type { RunChange } from "@bron/protocol";
import type { ServerResponse } from "node:http";
import type { OpenStream } from "./run-stream.ts";
import { openSse, type StreamTimes } from "./sse-response.ts";

interface OwnerStreamOptions {
  readonly outgoing: ServerResponse;
  readonly times: StreamTimes;
  readonly subscribe: (subscriber: {
    onChange(changes: readonly RunChange[]): void;
    onGap(): void;
  }) => () => void;
}

/**
 * Streams the changes of all runs of an owner. It has no positions: `reset` asks a new or returning
 * reader to load its lists again. For a slow reader, only the last state of each run is kept.
 */
export function openOwnerStream({ outgoing, times, subscribe }: OwnerStreamOptions): OpenStream {
  const behind = new Map<string, RunChange>();
  let isBehind = false;
  let stop = () => {};
  const { close, isClosed, whenRead } = openSse(outgoing, times, () => stop());
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
      if (isClosed()) return;
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
    if (!isClosed()) outgoing.write("event: reset\ndata: {}\n\n");
  };
  // Subscribes before the reset, so that no change in between is missed.
  stop = subscribe({ onChange: take, onGap: reset });
  reset();
  return { close };
}
