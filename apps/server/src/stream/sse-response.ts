import type { ServerResponse } from "node:http";

export interface StreamTimes {
  /** Time between two comments that keep the connection alive. */
  readonly heartbeatMs: number;
  /** A stream is closed after this time, and its reader resumes. */
  readonly closeAfterMs: number;
  /**
   * A reader with `maxBufferedBytes` unread is disconnected if it does not read them in this time.
   */
  readonly stalledMs: number;
  readonly maxBufferedBytes: number;
}

export const defaultStreamTimes: StreamTimes = {
  heartbeatMs: 20_000,
  closeAfterMs: 15 * 60_000,
  stalledMs: 5_000,
  maxBufferedBytes: 1024 * 1024,
};

/** An open response of server-sent events, with its headers, heartbeat and end. */
interface SseResponse {
  readonly outgoing: ServerResponse;
  /** Ends the stream with a comment. The reader may resume where it was. */
  close(reason: string): void;
  readonly isClosed: () => boolean;
  /** Calls back once the buffer has been read. Disconnects the reader if that takes too long. */
  whenRead(resume: () => void): void;
}

const retryMs = 1_000;

/**
 * Writes to the raw response and sends the headers with the first bytes. `cleanUp` runs exactly
 * once, however the stream ends.
 */
export function openSse(
  outgoing: ServerResponse,
  times: StreamTimes,
  cleanUp: () => void,
): SseResponse {
  let isClosed = false;
  let stalled: NodeJS.Timeout | undefined;
  const end = () => {
    if (isClosed) return;
    isClosed = true;
    clearInterval(heartbeat);
    clearTimeout(lifetime);
    clearTimeout(stalled);
    cleanUp();
  };
  const close = (reason: string) => {
    if (isClosed) return;
    end();
    const cut = setTimeout(() => outgoing.destroy(), times.stalledMs);
    outgoing.once("close", () => clearTimeout(cut));
    outgoing.end(`: ${reason}\n\n`);
  };
  const heartbeat = setInterval(() => outgoing.write(":\n\n"), times.heartbeatMs);
  const lifetime = setTimeout(() => close("closed after its time limit"), times.closeAfterMs);
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
    isClosed: () => isClosed,
    whenRead(resume) {
      stalled = setTimeout(() => outgoing.destroy(), times.stalledMs);
      outgoing.once("drain", () => {
        clearTimeout(stalled);
        if (!isClosed) resume();
      });
    },
  };
}
