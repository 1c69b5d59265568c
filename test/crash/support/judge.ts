import type { RunEvent, RunView } from "@bron/protocol";
import { expect } from "vitest";
import { describe } from "./crash-lab.ts";
import type { OutsideWorld } from "./outside-world.ts";

/** Tools of which the world may never see more than one deed in a run that asks for each once. */
const onceOnly = ["count_once", "send_letter", "ring_bell", "unsure_letter"];

/** What holds after any crash: a whole log, one result per action, nothing twice, nothing lost in silence. */
export function judge(run: RunView, events: readonly RunEvent[], world: OutsideWorld): void {
  const story = describe(events);
  expect(
    events.map(({ seq }) => seq),
    story,
  ).toEqual(events.map((_, index) => index + 1));
  expect(run.status, story).toBe("completed");
  const planned = events.flatMap((event) =>
    event.type === "step" && event.payload.phase === "end" ? event.payload.calls : [],
  );
  const ends = events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" ? [event.payload] : [],
  );
  expect(ends.map(({ actionId }) => actionId).toSorted(), story).toEqual(
    planned.map(({ actionId }) => actionId).toSorted(),
  );
  for (const { name, outcome } of ends) {
    if (!onceOnly.includes(name)) {
      expect(outcome, `${name}\n${story}`).toBe("completed");
      continue;
    }
    const deeds = world.deedsOf(run.id, name).length;
    expect(deeds, `${name} happened ${deeds} times\n${story}`).toBeLessThanOrEqual(1);
    expect(["completed", "unknown"], `${name}\n${story}`).toContain(outcome);
    if (outcome === "completed") expect(deeds, `${name} is said to be done\n${story}`).toBe(1);
  }
}
