import { isTerminal, type RunEvent } from "@bron/protocol";
import type { ServerResponse } from "node:http";
import type { AnswerFrame } from "./answer-board.ts";
import type { EventFrames } from "./event-frames.ts";

export interface StreamTimes {
  /** Between two comments that keep the connection from looking dead. */
  readonly heartbeatMs: number;
  /** A stream is closed after this time; its reader resumes. */
  readonly closeAfterMs: number;
  /** A reader with `maxBufferedBytes` unread may take so long to read them; then it is cut off. */
  readonly stalledMs: number;
  readonly maxBufferedBytes: number;
}

export interface RunStreamOptions {
  readonly outgoing: ServerResponse;
  readonly afterSeq: number;
  /** The end of the log when the stream was opened: the answer in progress comes after it. */
  readonly lastSeq: number;
  readonly times: StreamTimes;
  readonly frames: EventFrames;
  readonly subscribe: (afterSeq: number, onEvents: (events: readonly RunEvent[]) => void) => Promise<() => void>;
  readonly joinAnswer: (reader: (frame: AnswerFrame) => void) => () => void;
  readonly onStepOver: (step: number) => void;
}

/** One reader of one run. */
export interface RunStream {
  /** Ends with a comment; the reader may resume where it was. */
  close(reason: string): void;
}

const retryMs = 1_000;
/** Above this an answer in progress is left out: the next one says it all again. */
const answerBacklogBytes = 64 * 1024;

/**
 * Writes to the raw response; the headers leave with the first bytes. An event is written only if it is the one after the last written,
 * so that no reader sees one twice or misses one, whatever the subscription does.
 */
export function openRunStream(options: RunStreamOptions): RunStream {
  const { outgoing, times, frames, subscribe, joinAnswer, onStepOver } = options;
  let cursor = options.afterSeq;
  let overStep = 0;
  let isOver = false;
  let stopEvents = () => {};
  let stopAnswer: (() => void) | undefined;
  let stalled: NodeJS.Timeout | undefined;

  const cleanUp = () => {
    isOver = true;
    clearInterval(heartbeat);
    clearTimeout(lifetime);
    clearTimeout(stalled);
    stopEvents();
    stopAnswer?.();
  };
  const close = (reason: string) => {
    if (isOver) return;
    cleanUp();
    const cut = setTimeout(() => outgoing.destroy(), times.stalledMs);
    outgoing.once("close", () => clearTimeout(cut));
    outgoing.end(`: ${reason}\n\n`);
  };

  const showAnswer = ({ step, bytes }: AnswerFrame) => {
    if (!isOver && step > overStep && outgoing.writableLength < answerBacklogBytes) outgoing.write(bytes);
  };

  const take = (events: readonly RunEvent[]) => {
    for (const event of events) {
      if (event.seq <= cursor) continue;
      if (event.seq !== cursor + 1) return close("out of order, resume");
      outgoing.write(frames(event));
      cursor = event.seq;
      if (event.type === "step" && event.payload.phase === "end") onStepOver((overStep = event.payload.step));
      if (event.type === "status" && isTerminal(event.payload.status)) return close("the run is over");
      if (outgoing.writableNeedDrain && outgoing.writableLength > times.maxBufferedBytes) return pause();
    }
    if (cursor >= options.lastSeq) stopAnswer ??= joinAnswer(showAnswer);
  };

  /** Nothing more is held in memory for a reader that is behind: it goes on from the log once it has read what it has. */
  const pause = () => {
    stopEvents();
    stalled = setTimeout(() => outgoing.destroy(), times.stalledMs);
    outgoing.once("drain", () => {
      clearTimeout(stalled);
      if (!isOver) begin();
    });
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

  const heartbeat = setInterval(() => outgoing.write(":\n\n"), times.heartbeatMs);
  const lifetime = setTimeout(() => close("closed after its time, resume"), times.closeAfterMs);
  outgoing.on("close", cleanUp);
  outgoing.on("error", cleanUp);
  outgoing.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store, no-transform", "x-accel-buffering": "no" });
  outgoing.write(`retry: ${retryMs}\n\n`);
  begin();
  take([]);
  return { close };
}
