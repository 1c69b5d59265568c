// Follows one run many times over and remembers when each follower got each event. Orders as JSON in argv[2].
import { openBenchBron, ownerId } from "./bron-subject.ts";
import { quantile } from "./figures.ts";
import { serveCalls } from "./remote-calls.ts";
import type { SubjectOrders } from "./subject.ts";

export interface ReaderCalls {
  /** Resolves once all followers have what the log holds now. */
  follow(order: { readonly runId: string; readonly followers: number }): Promise<void>;
  /** Waits for the run's end, then compares with the commits. */
  latencies(commits: Record<number, number>): Promise<{ readonly p50: number; readonly p99: number; readonly max: number; readonly samples: number; readonly missing: number }>;
  close(): Promise<void>;
}

const { bron } = await openBenchBron(JSON.parse(process.argv[2] ?? "{}") as SubjectOrders, { work: "none" });
const arrivals: { readonly seq: number; readonly at: number }[] = [];
const following: Promise<void>[] = [];
/** Events that were there before everybody followed are not counted. */
let countedFrom = 0;

const follow = async (runId: string, onFirst: (seq: number) => void) => {
  for await (const { seq } of bron.runs.events(ownerId, runId)) {
    if (seq === 1) onFirst(seq);
    arrivals.push({ seq, at: performance.timeOrigin + performance.now() });
  }
};

const calls: ReaderCalls = {
  async follow({ runId, followers }) {
    const present: Promise<void>[] = [];
    for (let follower = 0; follower < followers; follower++) {
      present.push(new Promise((resolve) => following.push(follow(runId, () => resolve()))));
      if (follower % 50 === 49) await Promise.all(present);
    }
    await Promise.all(present);
    countedFrom = Math.max(...arrivals.map(({ seq }) => seq)) + 20;
  },
  async latencies(commits) {
    await Promise.all(following);
    const counted = arrivals.filter(({ seq }) => seq >= countedFrom);
    const samples = counted.map(({ seq, at }) => at - (commits[seq] ?? Number.NaN));
    const lastSeq = Math.max(...Object.keys(commits).map(Number));
    const missing = following.length * (lastSeq - countedFrom + 1) - counted.length;
    return { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99), max: quantile(samples, 1), samples: samples.length, missing };
  },
  close: bron.close,
};
serveCalls(calls);
