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
}

/** All streams of this server. */
export interface Streams {
  open(request: StreamRequest): void;
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
  const opened = new Set<RunStream>();
  let closed: string | undefined;
  return {
    open({ outgoing, runId, afterSeq, lastSeq }) {
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
      opened.add(stream);
      outgoing.once("close", () => opened.delete(stream));
      if (closed !== undefined) stream.close(closed);
    },
    closeAll(reason) {
      closed = reason;
      for (const stream of opened) stream.close(reason);
    },
  };
}
