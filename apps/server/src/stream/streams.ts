import type { Bron } from "bron";
import type { ServerResponse } from "node:http";
import { createAnswerBoard } from "./answer-board.ts";
import { createEventFrames } from "./event-frames.ts";
import { openRunStream, type RunStream, type StreamTimes } from "./run-stream.ts";

export interface StreamRequest {
  readonly outgoing: ServerResponse;
  readonly runId: string;
  readonly afterSeq: number;
  /** The end of the run's log now. */
  readonly lastSeq: number;
  /** Of the browser that reads. */
  readonly sessionId?: string | undefined;
}

/** All streams of this server. */
export interface Streams {
  open(request: StreamRequest): void;
  /** Ends those of a session that has ended. */
  closeSession(sessionId: string): void;
  /** Ends all; one that is opened later ends at once. */
  closeAll(reason: string): void;
}

export interface StreamsParts {
  readonly runs: Pick<Bron["runs"], "subscribe">;
  readonly answers: Bron["answers"];
  readonly ownerId: string;
  readonly times: StreamTimes;
}

export function createStreams({ runs, answers, ownerId, times }: StreamsParts): Streams {
  const frames = createEventFrames();
  const board = createAnswerBoard((runId, listener) => answers.follow(ownerId, runId, listener));
  const opened = new Map<RunStream, string | undefined>();
  let closed: string | undefined;
  return {
    open({ outgoing, runId, afterSeq, lastSeq, sessionId }) {
      // The reader left before it was let in: its end has been told already.
      if (outgoing.destroyed) return;
      const stream = openRunStream({
        outgoing,
        afterSeq,
        lastSeq,
        times,
        frames,
        subscribe: (from, onEvents) => runs.subscribe(ownerId, runId, { afterSeq: from, onEvents }),
        joinAnswer: (reader) => board.join(runId, reader),
        onStepOver: (step) => board.over(runId, step),
      });
      opened.set(stream, sessionId);
      outgoing.once("close", () => opened.delete(stream));
      if (closed !== undefined) stream.close(closed);
    },
    closeSession(sessionId) {
      for (const [stream, reader] of opened) if (reader === sessionId) stream.close("signed out");
    },
    closeAll(reason) {
      closed = reason;
      for (const stream of opened.keys()) stream.close(reason);
    },
  };
}
