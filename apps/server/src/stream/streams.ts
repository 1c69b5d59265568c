import type { RuntimeWithAccess } from "@bron/runtime";
import type { ServerResponse } from "node:http";
import type { Caller } from "../register-endpoint.ts";
import { RequestRefused } from "../request-refused.ts";
import { createPartialTextBoard } from "./partial-text-board.ts";
import { createEventFrames } from "./event-frames.ts";
import { openOwnerStream } from "./owner-stream.ts";
import { openRunStream, type OpenStream } from "./run-stream.ts";
import type { StreamTimes } from "./sse-response.ts";

interface Reader {
  readonly outgoing: ServerResponse;
  readonly caller: Pick<Caller, "ownerId" | "sessionId" | "tokenId" | "isStillValid">;
}

interface RunStreamRequest extends Reader {
  readonly runId: string;
  readonly afterSeq: number;
  /** The current end of the run's log. */
  readonly lastSeq: number;
}

/** All open streams of this server. */
export interface Streams {
  /** Throws rate_limited if the owner has too many open streams. */
  openRun(request: RunStreamRequest): Promise<void>;
  openOwner(request: Reader): Promise<void>;
  /**
   * Counts and ends a response that the caller writes, like a stream. Calls `close` with the
   * reason. Resolves once it has a slot.
   */
  hold(request: Reader, close: (reason: string) => void): Promise<void>;
  /** Aborts when the server closes, so that waiting requests respond now. */
  readonly closing: AbortSignal;
  /** Number of streams that are open in this process. */
  count(): number;
  /** Closes the streams of these sessions and tokens. */
  closeFor(ids: readonly string[]): void;
  /** Closes all streams. A stream that is opened later is closed at once. */
  closeAll(reason: string): void;
}

interface StreamsDeps {
  readonly runtime: Pick<
    RuntimeWithAccess,
    "logs" | "viewOf" | "partialTexts" | "changes" | "streamSlots"
  >;
  readonly times: StreamTimes;
  /** Maximum open streams per owner over all servers. 0 means no limit. */
  readonly maxPerOwner: number;
}

/** Clients poll pages in the meantime. */
const retryAfterSeconds = 5;

export function createStreams({ runtime, times, maxPerOwner }: StreamsDeps): Streams {
  const frames = createEventFrames(runtime);
  const board = createPartialTextBoard(runtime.partialTexts.subscribe);
  const opened = new Map<OpenStream, string | undefined>();
  const closing = new AbortController();
  let closed: string | undefined;

  const open = async (
    { outgoing, caller: { ownerId, sessionId, tokenId, isStillValid } }: Reader,
    openStream: () => OpenStream,
  ) => {
    const release = await runtime.streamSlots.take(ownerId, maxPerOwner);
    if (!release)
      throw new RequestRefused(
        "rate_limited",
        `Too many open streams. The limit is ${maxPerOwner}. Close one, or poll instead.`,
        { "retry-after": String(retryAfterSeconds) },
      );
    // The reader disconnected while it waited for a slot, so its `close` event is already over.
    if (outgoing.destroyed) return release();
    outgoing.once("close", release);
    const stream = openStream();
    opened.set(stream, sessionId ?? tokenId);
    const sessionCheck = closeWhenSignedOut(stream, isStillValid, times.heartbeatMs);
    outgoing.once("close", () => {
      clearInterval(sessionCheck);
      opened.delete(stream);
    });
    if (closed !== undefined) stream.close(closed);
  };

  return {
    openRun: (request) =>
      open(request, () => {
        const { outgoing, runId, afterSeq, lastSeq } = request;
        const { ownerId } = request.caller;
        return openRunStream({
          outgoing,
          afterSeq,
          lastSeq,
          times,
          frames,
          subscribe: (from, onEvents) =>
            runtime.logs.subscribe(ownerId, runId, { afterSeq: from, onEvents }),
          subscribeToText: (reader) => board.subscribe({ ownerId, runId }, reader),
          onStepFinished: (step) => board.finishStep(runId, step),
        });
      }),
    openOwner: (request) =>
      open(request, () =>
        openOwnerStream({
          outgoing: request.outgoing,
          times,
          subscribe: (subscriber) => runtime.changes.subscribe(request.caller.ownerId, subscriber),
        }),
      ),
    hold: (request, close) =>
      open(request, () => {
        const lifetime = setTimeout(
          () => close("the time limit for streams was reached"),
          times.closeAfterMs,
        );
        request.outgoing.once("close", () => clearTimeout(lifetime));
        return { close };
      }),
    closing: closing.signal,
    count: () => opened.size,
    closeFor(ids) {
      for (const [stream, reader] of opened)
        if (reader !== undefined && ids.includes(reader)) stream.close("signed out");
    },
    closeAll(reason) {
      closed = reason;
      closing.abort();
      for (const stream of opened.keys()) stream.close(reason);
    },
  };
}

/**
 * Finds sessions that were ended on another server at the next heartbeat. Keeps the stream open
 * while the database is unreachable. The caller clears the interval.
 */
function closeWhenSignedOut(
  stream: OpenStream,
  isStillValid: Caller["isStillValid"],
  heartbeatMs: number,
): NodeJS.Timeout {
  return setInterval(
    () =>
      void isStillValid().then(
        (isValid) => isValid || stream.close("signed out"),
        () => undefined,
      ),
    heartbeatMs,
  );
}
