import type { Runtime } from "bron";
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
  readonly caller: Pick<Caller, "ownerId" | "sessionId" | "tokenId" | "isStillGood">;
}

export interface RunStreamRequest extends Reader {
  readonly runId: string;
  readonly afterSeq: number;
  /** The end of the run's log now. */
  readonly lastSeq: number;
}

/** All streams of this server. */
export interface Streams {
  /** Throws rate_limited if the owner has as many as they may. */
  openRun(request: RunStreamRequest): Promise<void>;
  openOwner(request: Reader): Promise<void>;
  /** A response that somebody else writes: counted, and ended, like a stream. `close` is told why. Resolves once there is room. */
  hold(request: Reader, close: (reason: string) => void): Promise<void>;
  /** Aborted when the server closes: whoever waits for something answers now. */
  readonly closing: AbortSignal;
  /** How many are open here. */
  count(): number;
  /** Ends those of sessions that have ended, and of tokens that were revoked. */
  closeOf(ids: readonly string[]): void;
  /** Ends all; one that is opened later ends at once. */
  closeAll(reason: string): void;
}

export interface StreamsDeps {
  readonly runtime: Pick<Runtime, "runs" | "partialTexts" | "changes" | "streamSlots">;
  readonly times: StreamTimes;
  /** Open at once, over all servers; 0 for no limit. */
  readonly maxPerOwner: number;
}

/** What a client does meanwhile is ask for pages. */
const retryAfterSeconds = 5;

export function createStreams({ runtime, times, maxPerOwner }: StreamsDeps): Streams {
  const frames = createEventFrames();
  const board = createPartialTextBoard(runtime.partialTexts.subscribe);
  const opened = new Map<OpenStream, string | undefined>();
  const closing = new AbortController();
  let closed: string | undefined;

  const open = async (
    { outgoing, caller: { ownerId, sessionId, tokenId, isStillGood } }: Reader,
    begin: () => OpenStream,
  ) => {
    const giveBack = await runtime.streamSlots.take(ownerId, maxPerOwner);
    if (!giveBack)
      throw new RequestRefused(
        "rate_limited",
        `At most ${maxPerOwner} streams can be open at once: close one, or ask for pages.`,
        { "retry-after": String(retryAfterSeconds) },
      );
    // The reader left before it was let in: its end has been told already.
    if (outgoing.destroyed) return giveBack();
    outgoing.once("close", giveBack);
    const stream = begin();
    opened.set(stream, sessionId ?? tokenId);
    // What was ended at another server is found out here at the next heartbeat; while nobody can be asked, nothing is ended.
    const looking = setInterval(
      () =>
        void isStillGood().then(
          (isGood) => isGood || stream.close("signed out"),
          () => undefined,
        ),
      times.heartbeatMs,
    );
    outgoing.once("close", () => {
      clearInterval(looking);
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
            runtime.runs.subscribe(ownerId, runId, { afterSeq: from, onEvents }),
          joinAnswer: (reader) => board.join({ ownerId, runId }, reader),
          onStepOver: (step) => board.over(runId, step),
        });
      }),
    openOwner: (request) =>
      open(request, () =>
        openOwnerStream({
          outgoing: request.outgoing,
          times,
          follow: (follower) => runtime.changes.subscribe(request.caller.ownerId, follower),
        }),
      ),
    hold: (request, close) =>
      open(request, () => {
        const lifetime = setTimeout(
          () => close("it was watched for as long as a stream may be"),
          times.closeAfterMs,
        );
        request.outgoing.once("close", () => clearTimeout(lifetime));
        return { close };
      }),
    closing: closing.signal,
    count: () => opened.size,
    closeOf(ids) {
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
