import type { ServerResponse } from "node:http";

export interface StreamTimes {
  /** Between two comments that keep the connection from looking dead. */
  readonly heartbeatMs: number;
  /** A stream is closed after this time; its reader resumes. */
  readonly closeAfterMs: number;
  /** A reader with `maxBufferedBytes` unread may take so long to read them; then it is cut off. */
  readonly stalledMs: number;
  readonly maxBufferedBytes: number;
}

export const defaultStreamTimes: StreamTimes = {
  heartbeatMs: 20_000,
  closeAfterMs: 15 * 60_000,
  stalledMs: 5_000,
  maxBufferedBytes: 1024 * 1024,
};

/** One open response of server-sent events: its beginning, its pulse and its end. */
export interface SseResponse {
  readonly outgoing: ServerResponse;
  /** Ends with a comment; the reader may resume where it was. */
  close(reason: string): void;
  readonly isOver: () => boolean;
  /** Calls back once what is buffered has been read; cuts the reader off if that takes too long. */
  whenRead(goOn: () => void): void;
}

const retryMs = 1_000;

/** Writes to the raw response; the headers leave with the first bytes. `cleanUp` runs once, however it ends. */
export function openSse(
  outgoing: ServerResponse,
  times: StreamTimes,
  cleanUp: () => void,
): SseResponse {
  let isOver = false;
  let stalled: NodeJS.Timeout | undefined;
  const end = () => {
    if (isOver) return;
    isOver = true;
    clearInterval(heartbeat);
    clearTimeout(lifetime);
    clearTimeout(stalled);
    cleanUp();
  };
  const close = (reason: string) => {
    if (isOver) return;
    end();
    const cut = setTimeout(() => outgoing.destroy(), times.stalledMs);
    outgoing.once("close", () => clearTimeout(cut));
    outgoing.end(`: ${reason}\n\n`);
  };
  const heartbeat = setInterval(() => outgoing.write(":\n\n"), times.heartbeatMs);
  const lifetime = setTimeout(() => close("closed after its time, resume"), times.closeAfterMs);
  outgoing.on("close", end);
  outgoing.on("error", end);
  outgoing.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  outgoing.write(`retry: ${retryMs}\n\n`);
  return {
    outgoing,
    close,
    isOver: () => isOver,
    whenRead(goOn) {
      stalled = setTimeout(() => outgoing.destroy(), times.stalledMs);
      outgoing.once("drain", () => {
        clearTimeout(stalled);
        if (!isOver) goOn();
      });
    },
  };
}
