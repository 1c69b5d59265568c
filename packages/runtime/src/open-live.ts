import type { Appended, ChangeFeed, Clock, Store, Delta } from "@bron/core";
import { createChangeHub, type RunChanges } from "./change-hub.ts";
import type { Cleanups } from "./cleanups.ts";
import { createDeltas, type Deltas } from "./deltas.ts";
import { createEventHub, type EventHub } from "./event-hub.ts";
import { createPartialTextHub, type PartialTexts } from "./partial-text-hub.ts";

/** What subscribers in this process see while runs go on, in any process. */
export interface LiveUpdates {
  readonly hub: EventHub;
  readonly changes: RunChanges;
  readonly partialTexts: PartialTexts;
  readonly deltas: Pick<Deltas, "subscribe">;
  /** Call this after each append of this process. */
  appended(runId: string, appended: Appended): void;
  /** Call this after each wake that this process committed. */
  woken(runId: string): void;
  /** Call this for what a run of this process streams. */
  streamed(delta: Delta): void;
}

interface LiveDeps {
  readonly store: Pick<Store, "runs" | "partialTexts">;
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  /** Called when another process has appended to a run's log. */
  readonly onLogAdvanced: (runId: string, lastSeq: number) => void;
  readonly onProblem: (message: string, error?: unknown) => void;
}

export function openLive(deps: LiveDeps, cleanups: Cleanups): LiveUpdates {
  const { store, feed, clock, onProblem } = deps;
  const { runs } = store;
  const deltas = createDeltas((error) => onProblem("A delta listener failed", error));
  const hub = createEventHub(runs, clock);
  cleanups.add(() => Promise.resolve(hub.close()));
  const changes = createChangeHub({
    runs,
    clock,
    onProblem: (error) => onProblem("A change listener failed", error),
  });
  cleanups.add(() => Promise.resolve(changes.close()));
  const partialTexts = createPartialTextHub({
    partialTexts: store.partialTexts,
    runs,
    clock,
    onWritten: feed.partialTextChanged,
  });
  cleanups.add(partialTexts.close);
  const unsubscribe = feed.subscribe({
    onPartialText: partialTexts.changed,
    onChange({ runId, lastSeq }) {
      hub.changed(runId, lastSeq);
      changes.changed(runId);
      deps.onLogAdvanced(runId, lastSeq);
    },
    onGap() {
      hub.checkAll();
      changes.reportGap();
    },
  });
  cleanups.add(() => Promise.resolve(unsubscribe()));
  return {
    hub,
    changes: { subscribe: changes.subscribe },
    partialTexts: { subscribe: partialTexts.subscribe },
    deltas: { subscribe: deltas.subscribe },
    // Notifies subscribers in this process directly, and other processes through the feed.
    appended(runId, { events, lastSeq, createdAt }) {
      const firstSeq = lastSeq - events.length + 1;
      partialTexts.appended(runId, events);
      hub.appended(
        runId,
        events.map((event, index) => ({ ...event, runId, seq: firstSeq + index, createdAt })),
      );
      changes.changed(runId);
      feed.changed({ runId, lastSeq });
    },
    woken(runId) {
      hub.changed(runId, 0);
      changes.changed(runId);
      feed.changed({ runId, lastSeq: 0 });
    },
    streamed(delta) {
      deltas.emit(delta);
      partialTexts.delta(delta);
    },
  };
}
