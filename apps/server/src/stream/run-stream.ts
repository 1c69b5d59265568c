import { isTerminal, type RunEvent } from "@bron/protocol";
import type { ServerResponse } from "node:http";
import type { AnswerFrame } from "./partial-text-board.ts";
import type { EventFrames } from "./event-frames.ts";
import { openSse, type StreamTimes } from "./sse-response.ts";

export interface RunStreamOptions {
  readonly outgoing: ServerResponse;
  readonly afterSeq: number;
  /** The end of the log when the stream was opened: the answer in progress comes after it. */
  readonly lastSeq: number;
  readonly times: StreamTimes;
  readonly frames: EventFrames;
  readonly subscribe: (
    afterSeq: number,
    onEvents: (events: readonly RunEvent[]) => void,
  ) => Promise<() => void>;
  readonly joinAnswer: (reader: (frame: AnswerFrame) => void) => () => void;
  readonly onStepOver: (step: number) => void;
}

/** One reader. */
export interface OpenStream {
  /** Ends with a comment; the reader may resume where it was. */
  close(reason: string): void;
}

/** Above this an answer in progress is left out: the next one says it all again. */
const answerBacklogBytes = 64 * 1024;

/** An event is written only if it is the one after the last written, so that no reader sees one twice or misses one, whatever the subscription does. */
export function openRunStream(options: RunStreamOptions): OpenStream {
  const { outgoing, times, frames, subscribe, joinAnswer, onStepOver } = options;
  let cursor = options.afterSeq;
  let overStep = 0;
  let stopEvents = () => {};
  let stopAnswer: (() => void) | undefined;
  const { close, isOver, whenRead } = openSse(outgoing, times, () => {
    stopEvents();
    stopAnswer?.();
  });

  const showAnswer = ({ step, bytes }: AnswerFrame) => {
    if (!isOver() && step > overStep && outgoing.writableLength < answerBacklogBytes)
      outgoing.write(bytes);
  };

  const take = (events: readonly RunEvent[]) => {
    for (const event of events) {
      if (event.seq <= cursor) continue;
      if (event.seq !== cursor + 1) return close("out of order, resume");
      outgoing.write(frames(event));
      cursor = event.seq;
      if (event.type === "step" && event.payload.phase === "end")
        onStepOver((overStep = event.payload.step));
      if (event.type === "status" && isTerminal(event.payload.status))
        return close("the run is over");
      if (outgoing.writableNeedDrain && outgoing.writableLength > times.maxBufferedBytes)
        return pause();
    }
    if (cursor >= options.lastSeq) stopAnswer ??= joinAnswer(showAnswer);
  };

  /** Nothing more is held in memory for a reader that is behind: it goes on from the log once it has read what it has. */
  const pause = () => {
    stopEvents();
    whenRead(begin);
  };

  const begin = () => {
    let isCurrent = true;
    let unsubscribe = () => {};
    stopEvents = () => {
      isCurrent = false;
      unsubscribe();
    };
    void subscribe(cursor, (events) => isCurrent && take(events)).then(
      (end) => (isCurrent ? (unsubscribe = end) : end()),
      () => isCurrent && close("the log cannot be read now, resume"),
    );
  };

  begin();
  take([]);
  return { close };
}
