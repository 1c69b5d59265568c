import { afterEach, describe, expect, it } from "vitest";
import { openCalendarHarness, owner, type CalendarHarness } from "./calendar-harness.fixture.ts";
import { planInsert, planUpdate } from "./change-events.ts";
import type { EventChanges } from "./edit-event.ts";
import { createInput, updateInput } from "./event-input.ts";
import { planEditedInsert, planEditedUpdate } from "./plan-edited.ts";

const zone = "Europe/Berlin";
const guests = (...emails: string[]) => emails.map((email) => ({ email }));
const call = {
  id: "call",
  etag: '"1"',
  summary: "Call",
  start: { dateTime: "2031-05-05T09:00:00+02:00", timeZone: zone },
  end: { dateTime: "2031-05-05T10:00:00+02:00", timeZone: zone },
  organizer: { email: owner, self: true },
  attendees: guests("a@x.example"),
};

describe("an edited calendar change", () => {
  let harness: CalendarHarness;
  afterEach(async () => await harness.close());
  async function open(event: object) {
    let now = event;
    harness = await openCalendarHarness(({ path }) => ({
      body: path === "events" ? { timeZone: zone, accessRole: "owner", items: [] } : now,
    }));
    return (by: object) => (now = { ...now, etag: '"2"', ...by });
  }
  const planned = async (input: Record<string, unknown>) =>
    (
      await planUpdate(
        harness.deps,
        updateInput.parse({ eventId: "call", ...input }),
        harness.context(),
      )
    ).prepared;
  const plannedNew = async (input: Record<string, unknown> = {}) =>
    (
      await planInsert(
        harness.deps,
        createInput.parse({ summary: "New", start: "2031-05-05", ...input }),
        harness.context(),
      )
    ).prepared;
  const emails = ({ event }: { readonly event: Record<string, unknown> }) =>
    (event["attendees"] as { email: string }[] | undefined)?.map(({ email }) => email);

  it.each<[string, EventChanges, string[] | undefined]>([
    [
      "only the place is edited",
      { location: "There" },
      ["a@x.example", "boss@x.example", "new@x.example"],
    ],
    [
      "a guest is added",
      { guests: ["a@x.example", "new@x.example", "Tom <tom@x.example>"] },
      ["a@x.example", "boss@x.example", "new@x.example", "tom@x.example"],
    ],
    [
      "a guest is removed",
      { guests: ["New <NEW@x.example>"] },
      ["boss@x.example", "new@x.example"],
    ],
    ["the addition is taken back", { location: "There", guests: ["a@x.example"] }, undefined],
  ])(
    "X1 BR2 keeps a guest whom the owner added by hand meanwhile: %s",
    async (_, changes, expected) => {
      const change = await open({ ...call, attendees: guests("a@x.example", "gone@x.example") });
      const shown = await planned({
        addGuests: ["new@x.example"],
        removeGuests: ["gone@x.example"],
      });
      // One was added by hand, the other removed.
      change({ attendees: guests("a@x.example", "boss@x.example") });
      const { prepared, preview } = await planEditedUpdate(
        harness.deps,
        shown,
        changes,
        harness.context(),
      );
      expect(emails(prepared)).toEqual(expected);
      if (expected)
        expect(preview).toContain(
          `Guest list: a@x.example, boss@x.example → ${expected.join(", ")}\n`,
        );
      else expect(preview).not.toContain("Guest list:");
      expect(prepared.etag).toBe('"2"');
      // A second edit yields the same change.
      expect(
        emails(
          (await planEditedUpdate(harness.deps, prepared, { summary: "Talk" }, harness.context()))
            .prepared,
        ),
      ).toEqual(expected);
    },
  );

  it("BR2 removes a room like a guest, and keeps it if the guest list was not shown", async () => {
    await open({
      ...call,
      attendees: [...guests("a@x.example"), { email: "room@x.example", resource: true }],
    });
    const shown = await planned({ addGuests: ["new@x.example"] });
    expect(
      emails(
        (
          await planEditedUpdate(
            harness.deps,
            shown,
            { guests: ["a@x.example", "new@x.example"] },
            harness.context(),
          )
        ).prepared,
      ),
    ).toEqual(["a@x.example", "new@x.example"]);
    const placed = await planned({ location: "There" });
    expect(
      emails(
        (
          await planEditedUpdate(
            harness.deps,
            placed,
            { guests: ["b@x.example"] },
            harness.context(),
          )
        ).prepared,
      ),
    ).toEqual(["room@x.example", "b@x.example"]);
  });

  it("X1 notifies guests as shown before, or the added ones if there were none", async () => {
    await open(call);
    const context = harness.context();
    const edited = async (input: Record<string, unknown>, changes: EventChanges) => [
      (
        await planEditedUpdate(
          harness.deps,
          await planned({ location: "Here", ...input }),
          changes,
          context,
        )
      ).prepared.notify,
      (
        await planEditedInsert(
          harness.deps,
          await plannedNew({ guests: ["a@x.example"], ...input }),
          changes,
          context,
        )
      ).prepared.notify,
    ];
    expect(await edited({ notifyGuests: false }, { location: "There" })).toEqual([false, false]);
    expect(await edited({ notifyGuests: true }, { location: "There" })).toEqual([true, true]);
    expect(
      (
        await planEditedInsert(
          harness.deps,
          await plannedNew(),
          { guests: ["a@x.example"] },
          context,
        )
      ).prepared,
    ).toMatchObject({ notify: true, guests: ["a@x.example"] });
  });

  it("X1 is not prepared in an account other than the shown one", async () => {
    await open(call);
    const [shown, shownNew] = [await planned({ location: "Here" }), await plannedNew()];
    harness.asked.length = 0;
    harness.reconnect("jonas@lindqvist.example");
    for (const plan of [
      () => planEditedUpdate(harness.deps, shown, { location: "There" }, harness.context()),
      () => planEditedInsert(harness.deps, shownNew, { location: "There" }, harness.context()),
    ]) {
      await expect(plan()).rejects.toMatchObject({
        message: expect.stringContaining(`approved for ${owner}`),
      });
    }
    expect(harness.asked).toEqual([]);
  });

  it("X1 keeps the rule and the canceled dates of a series", async () => {
    await open({
      ...call,
      recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;TZID=Europe/Berlin:20310512T090000"],
    });
    const shown = await planned({ start: "2031-05-05T10:00" });
    const { prepared, preview } = await planEditedUpdate(
      harness.deps,
      shown,
      { start: "2031-05-05T11:00" },
      harness.context(),
    );
    expect(prepared.event["recurrence"]).toEqual([
      "RRULE:FREQ=WEEKLY;COUNT=4",
      "EXDATE;TZID=Europe/Berlin:20310512T110000",
    ]);
    expect(preview).toContain("\nRepeats: every week, 4 times\nCanceled: Mon, May 12, 2031\n");
  });

  it("X1 keeps the requested rule and no other", async () => {
    await open({ ...call, recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20310512T070000Z"] });
    const edited = async (input: Record<string, unknown>) =>
      (
        await planEditedUpdate(
          harness.deps,
          await planned(input),
          { start: "2031-05-05T11:00" },
          harness.context(),
        )
      ).prepared.event["recurrence"];
    expect(await edited({ start: "2031-05-05T10:00" })).toEqual([
      "RRULE:FREQ=WEEKLY;UNTIL=20310512T090000Z",
    ]);
    expect(await edited({ recurrence: "FREQ=DAILY;COUNT=3" })).toEqual([
      "RRULE:FREQ=DAILY;COUNT=3",
    ]);
  });
});
