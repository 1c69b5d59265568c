// A worker with runs, which will be killed, or a worker that waits to take them over. Its orders
// are JSON in argv[2].
import { openBenchRuntime } from "./bron-subject.ts";
import { serveCalls } from "./remote-calls.ts";
import type { SubjectOrders } from "./subject.ts";
import type { Task } from "./task.ts";

export interface WorkerCalls {
  create(task: Task): Promise<string>;
  close(): Promise<void>;
}

const { runtime, create } = await openBenchRuntime(
  JSON.parse(process.argv[2] ?? "{}") as SubjectOrders,
);
const calls: WorkerCalls = { create: (task) => create(task), close: runtime.close };
serveCalls(calls);
