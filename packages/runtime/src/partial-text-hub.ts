import { BronError, type Clock, type Delta, type PartialTextStore, type Runs } from "@bron/core";
import type { NewEvent, PartialText } from "@bron/protocol";
import { afterAppend, withDelta } from "./live-text.ts";
import { createPartialTextWriter } from "./partial-text-writer.ts";

export interface PartialTexts {
  /**
   * Calls the listener at once with the current text and then at every change, until the returned
   * function is called. Throws not_found.
   */
  subscribe(
    ownerId: string,
    runId: string,
    listener: (partialText: PartialText) => void,
  ): Promise<() => void>;
}

/** Publishes what runs of this process stream, and reads what other processes publish. */
interface PartialTextHub extends PartialTexts {
  delta(delta: Delta): void;
  /** The run's log has these events now, so what it streamed before them is obsolete. */
  appended(runId: string, events: readonly NewEvent[]): void;
  /** Another process changed the partial text of the run. */
  changed(runId: string): void;
  close(): Promise<void>;
}

interface PartialTextHubDeps {
  readonly partialTexts: PartialTextStore;
  readonly runs: Pick<Runs, "get">;
  readonly clock: Clock;
  /** Called after each write, so that other processes read the new text. */
  readonly onWritten: (runId: string) => void;
}

export function createPartialTextHub({
  partialTexts,
  runs,
  clock,
  onWritten,
}: PartialTextHubDeps): PartialTextHub {
  const localTexts = new Map<string, PartialText>();
  const writer = createPartialTextWriter({ partialTexts, clock, onWritten });
  const subscribers = new Map<
    string,
    Set<{ ownerId: string; listener: (partialText: PartialText) => void }>
  >();

  const emit = (runId: string, partialText: PartialText) => {
    for (const { listener } of subscribers.get(runId) ?? []) listener(partialText);
  };

  const set = (runId: string, state: PartialText) => {
    // The time, so that a state of the worker that takes the run over counts as newer.
    const revision = Math.max((localTexts.get(runId)?.revision ?? 0) + 1, clock.now());
    const partialText = { ...state, revision };
    localTexts.set(runId, partialText);
    writer.put(runId, partialText);
    emit(runId, partialText);
  };

  return {
    delta(delta) {
      const { runId } = delta;
      set(runId, withDelta(localTexts.get(runId), delta));
    },
    appended(runId, events) {
      const before = localTexts.get(runId);
      if (!before) return;
      const left = afterAppend(before, events);
      if (left) return left.progress === before.progress ? undefined : set(runId, left);
      localTexts.delete(runId);
      writer.remove(runId);
    },
    changed(runId) {
      for (const { ownerId, listener } of subscribers.get(runId) ?? []) {
        void partialTexts.get(ownerId, runId).then(
          (partialText) => partialText && listener(partialText),
          () => undefined,
        );
      }
    },
    async subscribe(ownerId, runId, listener) {
      if (!(await runs.get(ownerId, runId)))
        throw new BronError("not_found", `Run ${runId} not found.`);
      const entry = { ownerId, listener };
      const all = subscribers.get(runId) ?? new Set();
      subscribers.set(runId, all.add(entry));
      const partialText = localTexts.get(runId) ?? (await partialTexts.get(ownerId, runId));
      if (partialText) listener(partialText);
      return () => {
        all.delete(entry);
        if (all.size === 0 && subscribers.get(runId) === all) subscribers.delete(runId);
      };
    },
    close: writer.close,
  };
}
