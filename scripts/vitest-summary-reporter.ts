// Ends a run with one plain line that machines can read: "12 passed, 0 failed" and, if there are any, "2 skipped".
import type { Reporter, TestModule } from "vitest/node";

type Counts = Record<"passed" | "failed" | "skipped", number>;

export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts: Counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) addModule(counts, module);
    // At exit, since others print while they handle this very event, and a setup that failed shows in the exit code alone.
    process.once("exit", (code) => {
      const failed = counts.failed === 0 && code !== 0 ? 1 : counts.failed;
      const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
      process.stdout.write(`${counts.passed} passed, ${failed} failed${skipped}\n`);
    });
  }
}

/** A file that does not load, or whose hooks fail, has no failed test to show for it: it counts as one. */
function addModule(counts: Counts, module: TestModule): void {
  const before = counts.failed;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state !== "pending") counts[state] += 1;
  }
  if (module.state() === "failed" && counts.failed === before) counts.failed += 1;
}
