import type { Simulator } from "@bron/simulator";
import { expect } from "vitest";
import type { JudgedCase } from "../../mail/support/crash-matrix.ts";

const guest = "eva@elsewhere.example";

/**
 * Checks by the simulator's record what must hold after any crash or lost response: no duplicate,
 * and no silent loss.
 */
export function judgeEvents({ run, events, simulator, subject }: JudgedCase): string {
  const timeline = timelineOf({ events, simulator });
  expect(
    events.map(({ seq }) => seq),
    timeline,
  ).toEqual(events.map((_, index) => index + 1));
  expect(run.status, timeline).toBe("completed");
  const ends = events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" ? [event.payload] : [],
  );
  const changes = simulator
    .record()
    .calendar.filter(({ by, event }) => by === "app" && event.summary === subject);
  const said = (["calendar_event_create", "calendar_event_update"] as const).map((tool) => {
    const kind = tool === "calendar_event_create" ? "inserted" : "patched";
    const done = changes.filter((change) => change.kind === kind);
    expect(done.length, `${kind} ${done.length} times\n${timeline}`).toBeLessThanOrEqual(1);
    // Guests are notified of each change once.
    for (const { notified } of done) expect(notified, timeline).toEqual([guest]);
    const end = ends.find(({ name }) => name === tool);
    if (!end) return "not asked";
    if (end.outcome === "completed") {
      expect(done, timeline).toMatchObject([
        { eventId: (end.output as { eventId?: string }).eventId },
      ]);
      return "done";
    }
    if (end.outcome === "unknown") {
      expect(
        events.some((event) => event.type === "ui" && event.payload.kind === "UnknownEffectCard"),
        timeline,
      ).toBe(true);
      return "unknown";
    }
    expect(done, timeline).toEqual([]);
    expect(end.error?.message, timeline).toBeTruthy();
    return "not done";
  });
  return said.join(" and ");
}

function timelineOf({
  events,
  simulator,
}: {
  readonly events: JudgedCase["events"];
  readonly simulator: Simulator;
}): string {
  const log = events.map(
    ({ seq, type, payload, createdAt }) =>
      `${createdAt.slice(17, 23)} ${seq} ${type} ${JSON.stringify(payload).slice(0, 200)}`,
  );
  const calls = simulator
    .record()
    .calls.slice(-25)
    .map(
      ({ time, method, status, ending, fault, effects }) =>
        `${time.slice(17, 23)} ${method} ${status ?? ending} ${fault ?? ""} ${effects.join(", ")}`,
    );
  return [...log, "At Google:", ...calls].join("\n");
}
