import type { RunEvent, RunView } from "@bron/protocol";
import { expect } from "vitest";
import { formatTimeline } from "./crash-harness.ts";
import type { OutsideSimulator } from "./outside-simulator.ts";

/** Tools that may take effect at most once in a run that calls each of them once. */
const onceOnly = ["count_once", "send_letter", "ring_bell", "unsure_letter"];

/**
 * Checks what must hold after any crash: a complete log, one result per action, no duplicate, and
 * no silent loss.
 */
export function judge(
  run: RunView,
  events: readonly RunEvent[],
  simulator: OutsideSimulator,
): void {
  const timeline = formatTimeline(events);
  expect(
    events.map(({ seq }) => seq),
    timeline,
  ).toEqual(events.map((_, index) => index + 1));
  expect(run.status, timeline).toBe("completed");
  const planned = events.flatMap((event) =>
    event.type === "step" && event.payload.phase === "end" ? event.payload.calls : [],
  );
  const ends = events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" ? [event.payload] : [],
  );
  expect(ends.map(({ actionId }) => actionId).toSorted(), timeline).toEqual(
    planned.map(({ actionId }) => actionId).toSorted(),
  );
  for (const { name, outcome } of ends) {
    if (!onceOnly.includes(name)) {
      expect(outcome, `${name}\n${timeline}`).toBe("completed");
      continue;
    }
    const executions = simulator.executionsOf(run.id, name).length;
    expect(executions, `${name} happened ${executions} times\n${timeline}`).toBeLessThanOrEqual(1);
    expect(["completed", "unknown"], `${name}\n${timeline}`).toContain(outcome);
    if (outcome === "completed")
      expect(executions, `${name} is said to be done\n${timeline}`).toBe(1);
  }
}
