import type { World } from "@bron/world";
import { expect } from "vitest";
import type { JudgedCase } from "../../mail/support/crash-matrix.ts";

const guest = "eva@elsewhere.example";

/** What holds after any crash or lost answer, by the world's own record: never twice, never lost in silence. */
export function judgeEvents({ run, events, world, subject }: JudgedCase): string {
  const story = storyOf({ events, world });
  expect(
    events.map(({ seq }) => seq),
    story,
  ).toEqual(events.map((_, index) => index + 1));
  expect(run.status, story).toBe("completed");
  const ends = events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" ? [event.payload] : [],
  );
  const changes = world
    .record()
    .calendar.filter(({ by, event }) => by === "app" && event.summary === subject);
  const said = (["calendar_event_create", "calendar_event_update"] as const).map((tool) => {
    const kind = tool === "calendar_event_create" ? "inserted" : "patched";
    const done = changes.filter((change) => change.kind === kind);
    expect(done.length, `${kind} ${done.length} times\n${story}`).toBeLessThanOrEqual(1);
    // Guests hear of each change once.
    for (const { notified } of done) expect(notified, story).toEqual([guest]);
    const end = ends.find(({ name }) => name === tool);
    if (!end) return "not asked";
    if (end.outcome === "completed") {
      expect(done, story).toMatchObject([
        { eventId: (end.output as { eventId?: string }).eventId },
      ]);
      return "done";
    }
    if (end.outcome === "unknown") {
      expect(
        events.some((event) => event.type === "ui" && event.payload.kind === "UnknownEffectCard"),
        story,
      ).toBe(true);
      return "unknown";
    }
    expect(done, story).toEqual([]);
    expect(end.error?.message, story).toBeTruthy();
    return "not done";
  });
  return said.join(" and ");
}

function storyOf({
  events,
  world,
}: {
  readonly events: JudgedCase["events"];
  readonly world: World;
}): string {
  const log = events.map(
    ({ seq, type, payload, createdAt }) =>
      `${createdAt.slice(17, 23)} ${seq} ${type} ${JSON.stringify(payload).slice(0, 200)}`,
  );
  const calls = world
    .record()
    .calls.slice(-25)
    .map(
      ({ time, method, status, ending, fault, effects }) =>
        `${time.slice(17, 23)} ${method} ${status ?? ending} ${fault ?? ""} ${effects.join(", ")}`,
    );
  return [...log, "At Google:", ...calls].join("\n");
}
