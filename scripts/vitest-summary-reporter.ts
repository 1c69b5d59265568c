// Ends a test run with one line that machines can read: "12 passed, 0 failed", and ", 2 skipped" if
// tests were skipped.
import type { Reporter, TestModule } from "vitest/node";

type Counts = Record<"passed" | "failed" | "skipped", number>;

export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts: Counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) addModule(counts, module);
    // Prints at exit, because other reporters print during this event, and because a failed global
    // set-up shows only in the exit code.
    process.once("exit", (code) => {
      const failed = counts.failed === 0 && code !== 0 ? 1 : counts.failed;
      const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
      process.stdout.write(`${counts.passed} passed, ${failed} failed${skipped}\n`);
    });
  }
}

/** A file that does not load, or whose hooks fail, has no failed test. It counts as one failure. */
function addModule(counts: Counts, module: TestModule): void {
  const before = counts.failed;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state !== "pending") counts[state] += 1;
  }
  if (module.state() === "failed" && counts.failed === before) counts.failed += 1;
}
