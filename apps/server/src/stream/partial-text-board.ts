/** The answer in progress: what the model has said so far in a step. */
export interface Answer {
  readonly step: number;
  readonly attempt: number;
  readonly text: string;
}

export interface AnswerFrame {
  readonly step: number;
  readonly bytes: Buffer;
}

/** Follows the answer of each run once for all its readers, and shows it to them at most ten times a second. */
export interface PartialTextBoard {
  /** Shows what there is, then every change, until the returned function is called. */
  join(run: FollowedRun, reader: (frame: AnswerFrame) => void): () => void;
  /** The step's answer is in the log now: nobody needs to see it in progress any more. */
  over(runId: string, step: number): void;
}

/** Whoever joins has been found to be its owner. */
export interface FollowedRun {
  readonly ownerId: string;
  readonly runId: string;
}

export type FollowAnswer = (
  ownerId: string,
  runId: string,
  listener: (answer: Answer) => void,
) => Promise<() => void>;

interface Entry {
  readonly readers: Set<(frame: AnswerFrame) => void>;
  latest: Answer | undefined;
  frame: AnswerFrame | undefined;
  resting: NodeJS.Timeout | undefined;
  overStep: number;
  leave: () => void;
}

const restMs = 100;

export function createPartialTextBoard(follow: FollowAnswer): PartialTextBoard {
  const entries = new Map<string, Entry>();

  const show = (entry: Entry) => {
    const frame = frameOf(entry);
    if (!frame) return;
    for (const reader of entry.readers) reader(frame);
    const shown = entry.latest;
    entry.resting = setTimeout(() => {
      entry.resting = undefined;
      if (entry.latest !== shown) show(entry);
    }, restMs);
  };

  const begin = ({ ownerId, runId }: FollowedRun): Entry => {
    const entry: Entry = {
      readers: new Set(),
      latest: undefined,
      frame: undefined,
      resting: undefined,
      overStep: 0,
      leave: () => undefined,
    };
    entries.set(runId, entry);
    const listener = (answer: Answer) => {
      if (answer.step <= entry.overStep || !isNewer(answer, entry.latest)) return;
      entry.latest = answer;
      entry.frame = undefined;
      if (!entry.resting) show(entry);
    };
    // Without it readers still get the log, which has the whole answer in the end.
    void follow(ownerId, runId, listener).then(
      (leave) => {
        if (entries.get(runId) === entry) entry.leave = leave;
        else leave();
      },
      () => undefined,
    );
    return entry;
  };

  return {
    join(run, reader) {
      const { runId } = run;
      const entry = entries.get(runId) ?? begin(run);
      entry.readers.add(reader);
      const frame = frameOf(entry);
      if (frame) reader(frame);
      return () => {
        if (!entry.readers.delete(reader) || entry.readers.size > 0) return;
        entries.delete(runId);
        clearTimeout(entry.resting);
        entry.leave();
      };
    },
    over(runId, step) {
      const entry = entries.get(runId);
      if (!entry) return;
      entry.overStep = Math.max(entry.overStep, step);
      if (entry.latest && entry.latest.step <= step) entry.latest = entry.frame = undefined;
    },
  };
}

function frameOf(entry: Entry): AnswerFrame | undefined {
  if (!entry.latest) return undefined;
  const { step, attempt, text } = entry.latest;
  entry.frame ??= {
    step,
    bytes: Buffer.from(`event: answer\ndata: ${JSON.stringify({ step, attempt, text })}\n\n`),
  };
  return entry.frame;
}

/** Between processes an older state may arrive after a newer one. */
function isNewer(answer: Answer, than: Answer | undefined): boolean {
  if (!than) return true;
  if (answer.step !== than.step) return answer.step > than.step;
  if (answer.attempt !== than.attempt) return answer.attempt > than.attempt;
  return answer.text.length > than.text.length;
}
