import { isTerminal, type RunEvent } from "@bron/protocol";
import type { ServerResponse } from "node:http";
import type { PartialTextFrame } from "./partial-text-board.ts";
import type { EventFrames } from "./event-frames.ts";
import { openSse, type StreamTimes } from "./sse-response.ts";

interface RunStreamOptions {
  readonly outgoing: ServerResponse;
  readonly afterSeq: number;
  /** The end of the log when the stream was opened. Partial text is sent only after it. */
  readonly lastSeq: number;
  readonly times: StreamTimes;
  readonly frames: EventFrames;
  readonly subscribe: (
    afterSeq: number,
    onEvents: (events: readonly RunEvent[]) => void,
  ) => Promise<() => void>;
  readonly subscribeToText: (reader: (frame: PartialTextFrame) => void) => () => void;
  readonly onStepFinished: (step: number) => void;
}

/** The open stream of one reader. */
export interface OpenStream {
  /** Ends the stream with a comment. The reader may resume where it was. */
  close(reason: string): void;
}

/** Above this backlog a partial text is skipped, because the next one contains it again. */
const partialTextBacklogBytes = 64 * 1024;

/**
 * Writes an event only if it directly follows the last one, so that no reader sees an event twice
 * or misses one, whatever the subscription delivers.
 */
export function openRunStream(options: RunStreamOptions): OpenStream {
  const { outgoing, times, frames, subscribe, subscribeToText, onStepFinished } = options;
  let cursor = options.afterSeq;
  let finishedStep = 0;
  let stopEvents = () => {};
  let stopText: (() => void) | undefined;
  const { close, isClosed, whenRead } = openSse(outgoing, times, () => {
    stopEvents();
    stopText?.();
  });

  const showPartialText = ({ step, isProgress, bytes }: PartialTextFrame) => {
    const isCurrent = isProgress || step > finishedStep;
    if (!isClosed() && isCurrent && outgoing.writableLength < partialTextBacklogBytes)
      outgoing.write(bytes);
  };

  const take = (events: readonly RunEvent[]) => {
    for (const event of events) {
      if (event.seq <= cursor) continue;
      if (event.seq !== cursor + 1) return close("out of order");
      outgoing.write(frames(event));
      cursor = event.seq;
      if (event.type === "step" && event.payload.phase === "end")
        onStepFinished((finishedStep = event.payload.step));
      if (event.type === "status" && isTerminal(event.payload.status))
        return close("the run is over");
      if (outgoing.writableNeedDrain && outgoing.writableLength > times.maxBufferedBytes)
        return pause();
    }
    if (cursor >= options.lastSeq) stopText ??= subscribeToText(showPartialText);
  };

  /**
   * Buffers nothing more for a slow reader. It continues from the log once it has read the buffer.
   */
  const pause = () => {
    stopEvents();
    whenRead(start);
  };

  const start = () => {
    let isCurrent = true;
    let unsubscribe = () => {};
    stopEvents = () => {
      isCurrent = false;
      unsubscribe();
    };
    void subscribe(cursor, (events) => isCurrent && take(events)).then(
      (end) => (isCurrent ? (unsubscribe = end) : end()),
      () => isCurrent && close("the log cannot be read now"),
    );
  };

  start();
  take([]);
  return { close };
}
