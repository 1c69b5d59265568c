import type { StatementCounter } from "./statements.ts";
import type { RunsMeasure } from "./subject.ts";

/** Measures wall time, CPU time and statements of some work in this process. */
export async function measureRuns(
  statements: StatementCounter,
  work: () => Promise<void>,
): Promise<RunsMeasure> {
  statements.take();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1_000, statements: statements.take() };
}
