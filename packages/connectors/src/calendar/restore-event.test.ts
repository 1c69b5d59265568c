import { afterEach, describe, expect, it } from "vitest";
import { openCalendarHarness, owner, type CalendarHarness } from "./calendar-harness.fixture.ts";
import { patchEvent, planUpdate } from "./change-events.ts";
import { updateInput } from "./event-input.ts";
import { restoreEvent } from "./restore-event.ts";

const zone = "Europe/Berlin";
const at = (hour: string) => ({ dateTime: `2031-05-05T${hour}:00:00+02:00`, timeZone: zone });
const focus = {
  id: "focus",
  etag: '"1"',
  iCalUID: "focus@google.com",
  summary: "Focus",
  start: at("09"),
  end: at("10"),
  organizer: { email: owner, self: true },
};

interface Kept {
  readonly name: string;
  readonly bytes: Uint8Array;
}

describe("an event without guests that a task changed", () => {
  let harness: CalendarHarness;
  let event: Record<string, unknown> | undefined;
  /** What was kept, with the event as it was then. */
  let kept: (Kept & { readonly summary: unknown })[];
  afterEach(async () => {
    await harness.close();
  });

  /** A calendar with one event, which rejects a change of another version. */
  async function open(first: object = focus) {
    event = { ...first };
    kept = [];
    let version = 1;
    harness = await openCalendarHarness(({ method, path, ifMatch, body }) => {
      if (path === "events")
        return { body: { timeZone: zone, accessRole: "owner", items: event ? [event] : [] } };
      if (!event) return { status: 404, body: { error: { message: "Not found" } } };
      if (method === "GET") return { body: event };
      if (ifMatch !== event["etag"])
        return { status: 412, body: { error: { message: "Precondition failed" } } };
      event = { ...event, ...(body as object), etag: `"${++version}"` };
      return { body: event };
    });
  }
  async function change(input: Record<string, unknown>) {
    const { prepared } = await planUpdate(
      harness.deps,
      updateInput.parse({ eventId: "focus", ...input }),
      harness.context(),
    );
    await patchEvent(harness.deps, prepared, {
      ...harness.context(),
      async keepPrevious({ name, bytes }) {
        kept.push({ name, bytes, summary: event?.["summary"] });
      },
    });
    return prepared;
  }
  const restore = (prepared: Awaited<ReturnType<typeof change>>, at = 0) =>
    restoreEvent(harness.deps, prepared, {
      ownerId: "owner",
      signal: new AbortController().signal,
      previous: kept[at]?.bytes ?? new Uint8Array(),
    });
  const changedByHand = (fields: object) => {
    event = { ...event, ...fields, etag: '"by hand"' };
  };

  it("X3 gets its old fields back, once they were kept before the change", async () => {
    await open();
    const prepared = await change({ summary: "Deep work", start: "2031-05-05T14:00" });
    expect(kept).toMatchObject([{ name: "Focus (before).json", summary: "Focus" }]);
    expect(event).toMatchObject({ summary: "Deep work" });
    expect(await restore(prepared)).toBe("restored");
    expect(event).toMatchObject({ summary: "Focus", start: at("09"), end: at("10") });
    const requests = harness.asked.length;
    expect(await restore(prepared)).toBe("restored");
    expect(harness.asked).toHaveLength(requests + 1);
  });

  it("X3 keeps what the owner changed elsewhere in it, and loses no field that was empty", async () => {
    await open();
    const prepared = await change({ location: "Room 2" });
    changedByHand({ summary: "By hand" });
    expect(await restore(prepared)).toBe("restored");
    expect(event).toMatchObject({ summary: "By hand", location: "" });
  });

  it("X3 is not restored after another change of these fields, or after it was deleted", async () => {
    await open();
    const prepared = await change({ summary: "Deep work" });
    changedByHand({ summary: "By hand" });
    expect(await restore(prepared)).toBe("changed");
    expect(event).toMatchObject({ summary: "By hand" });
    event = undefined;
    expect(await restore(prepared)).toBe("changed");
  });

  it("X3 is not restored once it has a guest, or became a series", async () => {
    for (const fields of [
      { attendees: [{ email: "eva@x.example" }] },
      { recurrence: ["RRULE:FREQ=DAILY"] },
    ]) {
      await open();
      const prepared = await change({ summary: "Deep work" });
      changedByHand(fields);
      expect(await restore(prepared)).toBe("changed");
      await harness.close();
    }
    await open();
  });

  it("X3 is restored only in the version that was compared", async () => {
    await open();
    const prepared = await change({ summary: "Deep work" });
    const { bytes } = kept[0]!;
    const { accounts } = harness.deps;
    let requests = 0;
    const deps = {
      ...harness.deps,
      accounts: {
        ...accounts,
        access: (ownerId: string) => {
          if (++requests === 2) changedByHand({ summary: "By hand" });
          return accounts.access(ownerId);
        },
      },
    };
    const signal = new AbortController().signal;
    expect(await restoreEvent(deps, prepared, { ownerId: "o", signal, previous: bytes })).toBe(
      "changed",
    );
    expect(event).toMatchObject({ summary: "By hand" });
  });

  it.each([
    ["has guests", { attendees: [{ email: "eva@x.example" }] }, {}],
    ["is a series", { recurrence: ["RRULE:FREQ=DAILY"] }, {}],
    ["becomes a series", {}, { recurrence: "FREQ=DAILY" }],
    ["is in a calendar that others may see", {}, { calendarId: "team@group.example" }],
  ])("X3 has no old version if it %s", async (_, fields, input) => {
    await open({ ...focus, ...fields });
    harness.asked.length = 0;
    await change({ summary: "Deep work", ...input }).catch(() => undefined);
    expect(kept).toEqual([]);
  });
});
