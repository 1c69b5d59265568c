// Ends a run with one plain line that machines can read: "12 passed, 0 failed" and, if there are any, "2 skipped".
import type { Reporter, TestModule } from "vitest/node";

type Counts = Record<"passed" | "failed" | "skipped", number>;

export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts: Counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) addModule(counts, module);
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    // The default reporter prints its own summary while it handles this very event.
    process.once("exit", () => process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`));
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
