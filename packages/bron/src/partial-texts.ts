import { BronError, type TextDelta, type Clock, type Runs } from "@bron/core";
import type { PartialText, Answers } from "@bron/store";

export interface PartialTexts {
  /** Calls at once with what there is, then with every change, until the returned function is called. Throws not_found. */
  follow(
    ownerId: string,
    runId: string,
    listener: (answer: PartialText) => void,
  ): Promise<() => void>;
}

/** Keeps the answers that are made in this process where others can read them, and reads those of others. */
export interface PartialTextKeeper extends PartialTexts {
  delta(delta: TextDelta): void;
  /** The run's log has moved on: what was in progress is over. */
  over(runId: string): void;
  /** Another process wrote to the run's answer. */
  changed(runId: string): void;
  close(): Promise<void>;
}

interface PartialTextKeeperDeps {
  readonly answers: Answers;
  readonly runs: Pick<Runs, "get">;
  readonly clock: Clock;
  /** Told after each write, so that other processes look. */
  readonly onWritten: (runId: string) => void;
}

const flushMs = 100;

export function createPartialTextKeeper({
  answers,
  runs,
  clock,
  onWritten,
}: PartialTextKeeperDeps): PartialTextKeeper {
  const own = new Map<string, PartialText>();
  const dirty = new Set<string>();
  const written = new Set<string>();
  const gone = new Set<string>();
  const followers = new Map<
    string,
    Set<{ ownerId: string; listener: (answer: PartialText) => void }>
  >();
  const closing = new AbortController();
  let flushing: Promise<void> | undefined;

  const tell = (runId: string, answer: PartialText) => {
    for (const { listener } of followers.get(runId) ?? []) listener(answer);
  };

  const flush = async () => {
    await clock.sleep(flushMs, closing.signal);
    const removed = [...gone];
    const changed = new Map(
      [...dirty].flatMap((runId) => (own.has(runId) ? [[runId, own.get(runId)!] as const] : [])),
    );
    gone.clear();
    dirty.clear();
    if (removed.length > 0) await answers.remove(removed);
    if (changed.size > 0) await answers.put(changed);
    for (const runId of changed.keys()) {
      written.add(runId);
      onWritten(runId);
    }
  };

  const flushSoon = () => {
    flushing ??= flush()
      // Lost pieces of an answer in progress are made up for by the next ones.
      .catch(() => undefined)
      .finally(() => {
        flushing = undefined;
        if (!closing.signal.aborted && (dirty.size > 0 || gone.size > 0)) flushSoon();
      });
  };

  return {
    delta({ runId, step, attempt, kind, delta }) {
      if (kind !== "text") return;
      const before = own.get(runId);
      const same = before?.step === step && before.attempt === attempt;
      const answer = { step, attempt, text: (same ? before.text : "") + delta };
      own.set(runId, answer);
      dirty.add(runId);
      tell(runId, answer);
      flushSoon();
    },
    over(runId) {
      if (!own.delete(runId)) return;
      dirty.delete(runId);
      if (!written.delete(runId)) return;
      gone.add(runId);
      flushSoon();
    },
    changed(runId) {
      for (const { ownerId, listener } of followers.get(runId) ?? []) {
        void answers.get(ownerId, runId).then(
          (answer) => answer && listener(answer),
          () => undefined,
        );
      }
    },
    async follow(ownerId, runId, listener) {
      if (!(await runs.get(ownerId, runId)))
        throw new BronError("not_found", `There is no run ${runId}.`);
      const entry = { ownerId, listener };
      const all = followers.get(runId) ?? new Set();
      followers.set(runId, all.add(entry));
      const answer = own.get(runId) ?? (await answers.get(ownerId, runId));
      if (answer) listener(answer);
      return () => {
        all.delete(entry);
        if (all.size === 0 && followers.get(runId) === all) followers.delete(runId);
      };
    },
    async close() {
      closing.abort();
      await flushing;
      const left = [...written, ...gone];
      if (left.length > 0) await answers.remove(left).catch(() => undefined);
    },
  };
}
