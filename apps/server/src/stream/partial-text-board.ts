import type { PartialText } from "@bron/protocol";

export interface PartialTextFrame {
  readonly step: number;
  /** It says how far tools are, which run after their step has ended. */
  readonly isProgress: boolean;
  readonly bytes: Buffer;
}

/**
 * Subscribes to the partial text of each run once for all its readers, and sends it to them at most
 * ten times a second.
 */
interface PartialTextBoard {
  /** Sends the current text, then every change, until the returned function is called. */
  subscribe(run: SubscribedRun, reader: (frame: PartialTextFrame) => void): () => void;
  /** Drops the partial text of a step whose message is in the log now. */
  finishStep(runId: string, step: number): void;
}

/** The caller has already checked that the owner owns the run. */
interface SubscribedRun {
  readonly ownerId: string;
  readonly runId: string;
}

type SubscribeToPartialText = (
  ownerId: string,
  runId: string,
  listener: (partial: PartialText) => void,
) => Promise<() => void>;

interface Entry {
  readonly readers: Set<(frame: PartialTextFrame) => void>;
  latest: PartialText | undefined;
  frame: PartialTextFrame | undefined;
  restTimer: NodeJS.Timeout | undefined;
  finishedStep: number;
  unsubscribe: () => void;
}

const restMs = 100;

export function createPartialTextBoard(subscribe: SubscribeToPartialText): PartialTextBoard {
  const entries = new Map<string, Entry>();

  const show = (entry: Entry) => {
    const frame = frameOf(entry);
    if (!frame) return;
    for (const reader of entry.readers) reader(frame);
    const shown = entry.latest;
    entry.restTimer = setTimeout(() => {
      entry.restTimer = undefined;
      if (entry.latest !== shown) show(entry);
    }, restMs);
  };

  const open = ({ ownerId, runId }: SubscribedRun): Entry => {
    const entry: Entry = {
      readers: new Set(),
      latest: undefined,
      frame: undefined,
      restTimer: undefined,
      finishedStep: 0,
      unsubscribe: () => undefined,
    };
    entries.set(runId, entry);
    const listener = (partial: PartialText) => {
      const isObsolete = partial.step <= entry.finishedStep && !partial.progress;
      if (isObsolete || !isNewer(partial, entry.latest)) return;
      entry.latest = partial;
      entry.frame = undefined;
      if (!entry.restTimer) show(entry);
    };
    // If this fails, readers still get the log, which contains the complete message in the end.
    void subscribe(ownerId, runId, listener).then(
      (unsubscribe) => {
        if (entries.get(runId) === entry) entry.unsubscribe = unsubscribe;
        else unsubscribe();
      },
      () => undefined,
    );
    return entry;
  };

  return {
    subscribe(run, reader) {
      const { runId } = run;
      const entry = entries.get(runId) ?? open(run);
      entry.readers.add(reader);
      const frame = frameOf(entry);
      if (frame) reader(frame);
      return () => {
        if (!entry.readers.delete(reader) || entry.readers.size > 0) return;
        entries.delete(runId);
        clearTimeout(entry.restTimer);
        entry.unsubscribe();
      };
    },
    finishStep(runId, step) {
      const entry = entries.get(runId);
      if (!entry) return;
      entry.finishedStep = Math.max(entry.finishedStep, step);
      if (entry.latest && entry.latest.step <= step && !entry.latest.progress)
        entry.latest = entry.frame = undefined;
    },
  };
}

function frameOf(entry: Entry): PartialTextFrame | undefined {
  if (!entry.latest) return undefined;
  const { revision: _, ...shown } = entry.latest;
  entry.frame ??= {
    step: shown.step,
    isProgress: shown.progress !== undefined,
    bytes: Buffer.from(`event: answer\ndata: ${JSON.stringify(shown)}\n\n`),
  };
  return entry.frame;
}

/** An older text from another process may arrive after a newer one. */
function isNewer(partial: PartialText, than: PartialText | undefined): boolean {
  if (!than) return true;
  if (partial.step !== than.step) return partial.step > than.step;
  // The tools of a step run after its message.
  if (!partial.progress !== !than.progress) return partial.progress !== undefined;
  if (!partial.progress && partial.attempt !== than.attempt) return partial.attempt > than.attempt;
  if (partial.revision !== undefined && than.revision !== undefined)
    return partial.revision > than.revision;
  return partial.text.length > than.text.length;
}
