import type { NewEvent } from "@bron/protocol";
import type { Outcome } from "./outcome.ts";

/** Outcomes of finished work, and events of tools, that are not in the log yet. */
export interface PendingResults {
  finish(outcome: Outcome): void;
  post(event: NewEvent): void;
  /** Resolves once the event is in the log. */
  postAndWait(event: NewEvent): Promise<void>;
  isEmpty(): boolean;
  hasPosted(): boolean;
  /** Everything that is pending now, in order. */
  take(): PendingBatch;
}

export interface PendingBatch {
  readonly finished: readonly Outcome[];
  readonly outbox: readonly NewEvent[];
  /** Call this once the batch is in the log. What arrived meanwhile stays pending. */
  markWritten(): void;
  /** Drops a batch that caused no event. `postAndWait` does not resolve for its events. */
  drop(): void;
}

/** `onPost` is called when an event was added. */
export function createPendingResults(onPost: () => void): PendingResults {
  let finished: Outcome[] = [];
  let outbox: { readonly event: NewEvent; readonly onWritten?: () => void }[] = [];
  return {
    finish: (outcome) => void finished.push(outcome),
    post(event) {
      outbox.push({ event });
      onPost();
    },
    postAndWait: (event) =>
      new Promise((resolve) => {
        outbox.push({ event, onWritten: resolve });
        onPost();
      }),
    isEmpty: () => finished.length === 0 && outbox.length === 0,
    hasPosted: () => outbox.length > 0,
    take() {
      const counts = { finished: finished.length, outbox: outbox.length };
      const drop = () => {
        finished = finished.slice(counts.finished);
        outbox = outbox.slice(counts.outbox);
      };
      return {
        finished: [...finished],
        outbox: outbox.map(({ event }) => event),
        drop,
        markWritten() {
          for (const { onWritten } of outbox.slice(0, counts.outbox)) onWritten?.();
          drop();
        },
      };
    },
  };
}
