// Advances one run and records when each of its appends was known to be committed. Its orders are
// JSON in argv[2].
import { openBenchRuntime } from "./bron-subject.ts";
import { serveCalls } from "./remote-calls.ts";
import type { SubjectOrders } from "./subject.ts";
import type { Task } from "./task.ts";

export interface WriterCalls {
  create(task: Task): Promise<string>;
  /** Commit times in epoch milliseconds by seq, once the run has ended. */
  commits(runId: string): Promise<Record<number, number>>;
  close(): Promise<void>;
}

const committedAt: Record<number, number> = {};
const { runtime, create, released } = await openBenchRuntime(
  JSON.parse(process.argv[2] ?? "{}") as SubjectOrders,
  {
    onAppend({ events }, lastSeq) {
      const at = performance.timeOrigin + performance.now();
      for (let seq = lastSeq - events.length + 1; seq <= lastSeq; seq++) committedAt[seq] = at;
    },
  },
);
const calls: WriterCalls = {
  create: (task) => create(task),
  async commits(runId) {
    await released(runId);
    return committedAt;
  },
  close: runtime.close,
};
serveCalls(calls);
