import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  cardsOf,
  openMailHarness,
  outputsOf,
  ownerId,
  type MailHarness,
} from "../mail/support/mail-harness.ts";
import { callScript, type ScriptedCall } from "./support/call-script.ts";

interface Output {
  readonly eventId: string;
  readonly start: string;
  readonly end: string;
}

describe("the calendar's tools, from a prompt to the calendar", () => {
  let harness: MailHarness;
  beforeAll(async () => {
    // A busy machine may take seconds to prepare a change. Nothing here waits for the limit.
    harness = await openMailHarness(inject("postgresUrl"), {
      script: callScript,
      times: { eventMs: 10_000, searchDelaysMs: [0, 100, 200] },
    });
  });
  afterAll(async () => await harness.close());

  const changes = (eventId: string) =>
    harness.simulator
      .record()
      .calendar.filter((change) => change.by === "app" && change.eventId === eventId);

  async function perform(...calls: ScriptedCall[]) {
    let run = await harness.runUntilParked(JSON.stringify(calls));
    const [approval] = await harness.runtime.clientFor(ownerId).list("GET /api/approvals", {
      runId: run.id,
      pending: "true",
    });
    const before = harness.simulator.record().calendar.length;
    if (approval) {
      await harness.approve(run.id);
      run = await harness.waitUntilParked(run.id);
    }
    const events = await harness.events(run.id);
    const tool = calls.at(-1)?.tool ?? "";
    return {
      run,
      events,
      approval,
      before,
      output: outputsOf(events, tool).at(-1) as Output & { message?: string },
    };
  }

  it("RT9 finds events in order, in the calendar's own time zone, with a card", async () => {
    const { run, events, output, approval } = await perform({ tool: "calendar_search", input: {} });
    expect(run.status).toBe("completed");
    expect(approval).toBeUndefined();
    expect(cardsOf(events)).toContain("CalendarEventsCard");
    const found = output as unknown as {
      timeZone: string;
      found: number;
      events: { start: string; summary: string; guests: unknown[] }[];
    };
    expect(found.timeZone).toBe("Europe/Berlin");
    expect(found.found).toBeGreaterThan(10);
    const starts = found.events.map(({ start }) => Date.parse(start));
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(found.events.some(({ guests }) => guests.length > 0)).toBe(true);
  });

  it("RT9 X1 creates an event once after its approval, exactly as it was shown, and notifies its guests", async () => {
    const { run, approval, output, before } = await perform({
      tool: "calendar_event_create",
      input: {
        summary: "Frame tubes: next steps",
        start: "2027-03-30T09:00",
        durationMinutes: 45,
        guests: [harness.colleague, "Eva Brandt <eva@brandt-metall.example>"],
        location: "Workshop",
        description: "Prices and dates.",
      },
    });
    expect(run.status).toBe("completed");
    expect(approval?.preview).toContain(
      "When: Tue, Mar 30, 2027, 9:00–9:45 AM (Europe/Berlin, UTC+02:00)",
    );
    expect(approval?.preview).toContain(
      `Guests: ${harness.colleague}, Eva Brandt <eva@brandt-metall.example>`,
    );
    const shown = approval?.prepared as { event: Record<string, unknown>; eventId: string };
    const [change, ...more] = harness.simulator
      .record()
      .calendar.slice(before)
      .filter(({ by }) => by === "app");
    expect(more.filter(({ kind }) => kind === "inserted")).toEqual([]);
    expect(change).toMatchObject({
      kind: "inserted",
      account: harness.owner,
      eventId: shown.eventId,
    });
    expect(change?.event).toMatchObject({
      summary: "Frame tubes: next steps",
      location: "Workshop",
      description: "Prices and dates.",
      start: { dateTime: "2027-03-30T09:00:00+02:00", timeZone: "Europe/Berlin" },
      end: { dateTime: "2027-03-30T09:45:00+02:00" },
    });
    expect(change?.notified.toSorted()).toEqual(
      [harness.colleague, "eva@brandt-metall.example"].toSorted(),
    );
    expect(output).toMatchObject({ eventId: shown.eventId, start: "2027-03-30T09:00:00+02:00" });
  });

  it("RT9 notifies no guests when that is requested, and needs no guests", async () => {
    const quiet = await perform({
      tool: "calendar_event_create",
      input: {
        summary: "Quiet",
        start: "2027-04-01",
        end: "2027-04-02",
        guests: [harness.colleague],
        notifyGuests: false,
      },
    });
    expect(quiet.approval?.preview).toContain("Guests won't get an email");
    expect(changes(quiet.output.eventId)).toMatchObject([
      { notified: [], event: { start: { date: "2027-04-01" }, end: { date: "2027-04-03" } } },
    ]);
    expect(quiet.output).toMatchObject({ start: "2027-04-01", end: "2027-04-02", allDay: true });
  });

  it("RT9 changes only what is requested, shows the diff, and keeps the duration", async () => {
    const made = await perform({
      tool: "calendar_event_create",
      input: {
        summary: "Call",
        start: "2027-05-03T10:00",
        end: "2027-05-03T11:30",
        guests: [harness.colleague],
      },
    });
    const { approval, output, run } = await perform({
      tool: "calendar_event_update",
      input: {
        eventId: made.output.eventId,
        start: "2027-05-04T14:00",
        addGuests: ["peter@harbour-couriers.example"],
      },
    });
    expect(run.status).toBe("completed");
    expect(approval?.preview).toContain(
      "When: Mon, May 3, 2027, 10:00–11:30 AM (Europe/Berlin, UTC+02:00) → Tue, May 4, 2027, 2:00–3:30 PM (Europe/Berlin, UTC+02:00)",
    );
    expect(approval?.preview).toContain(
      `Guest list: ${harness.colleague} → ${harness.colleague}, peter@harbour-couriers.example`,
    );
    expect(output).toMatchObject({
      start: "2027-05-04T14:00:00+02:00",
      end: "2027-05-04T15:30:00+02:00",
    });
    const patched = changes(made.output.eventId).at(-1);
    expect(patched).toMatchObject({
      kind: "patched",
      event: {
        summary: "Call",
        attendees: expect.arrayContaining([
          expect.objectContaining({ email: harness.colleague }),
          expect.objectContaining({ email: "peter@harbour-couriers.example" }),
        ]),
      },
    });
    expect(patched?.notified.toSorted()).toEqual(
      [harness.colleague, "peter@harbour-couriers.example"].toSorted(),
    );
  });

  it("RT9 turns an all-day event into a timed one and back", async () => {
    const made = await perform({
      tool: "calendar_event_create",
      input: { summary: "Fair", start: "2027-06-01" },
    });
    const timed = await perform({
      tool: "calendar_event_update",
      input: { eventId: made.output.eventId, start: "2027-06-01T09:00", end: "2027-06-01T17:00" },
    });
    expect(timed.output).toMatchObject({ start: "2027-06-01T09:00:00+02:00", allDay: false });
    const days = await perform({
      tool: "calendar_event_update",
      input: { eventId: made.output.eventId, start: "2027-06-02", end: "2027-06-03" },
    });
    expect(days.output).toMatchObject({ start: "2027-06-02", end: "2027-06-03", allDay: true });
  });

  it("RT9 keeps the hour of a weekly event over both changes of daylight saving time, and moves one occurrence alone", async () => {
    for (const [first, from, to] of [
      ["2027-03-22T09:00", "2027-03-22", "2027-04-06"],
      ["2027-10-25T09:00", "2027-10-25", "2027-11-09"],
    ] as const) {
      const summary = `Weekly since ${first}`;
      const made = await perform({
        tool: "calendar_event_create",
        input: { summary, start: first, durationMinutes: 30, recurrence: "FREQ=WEEKLY;COUNT=3" },
      });
      expect(made.approval?.preview).toContain("Repeats: every week, 3 times");
      const search = { tool: "calendar_search", input: { query: summary, from, to } };
      const seen = (await perform(search)).output as unknown as {
        events: { eventId: string; seriesId: string; start: string }[];
      };
      expect(seen.events.map(({ start }) => start.slice(11, 16))).toEqual([
        "09:00",
        "09:00",
        "09:00",
      ]);
      expect(new Set(seen.events.map(({ start }) => start.slice(19))).size).toBe(2);
      const [, second] = seen.events;
      const moved = await perform({
        tool: "calendar_event_update",
        input: { eventId: second?.eventId, start: `${second?.start.slice(0, 10) ?? ""}T16:00` },
      });
      expect(moved.run.status).toBe("completed");
      expect(moved.approval?.preview).toContain("· only this event");
      const after = (await perform(search)).output as unknown as typeof seen;
      expect(after.events.map(({ start }) => start.slice(11, 16))).toEqual([
        "09:00",
        "16:00",
        "09:00",
      ]);
    }
  });

  it("RT9 shows an event of another time zone in both zones", async () => {
    const { approval, output } = await perform({
      tool: "calendar_event_create",
      input: {
        summary: "New York",
        start: "2027-03-16T09:00",
        durationMinutes: 60,
        timeZone: "America/New_York",
      },
    });
    // In those two weeks, daylight saving time has already started in America.
    expect(approval?.preview).toContain(
      "9:00–10:00 AM (America/New_York, UTC-04:00); your time: Tue, Mar 16, 2027, 2:00–3:00 PM (Europe/Berlin, UTC+01:00)",
    );
    expect(Date.parse(output.start)).toBe(Date.parse("2027-03-16T13:00:00Z"));
  });

  it("RT13 tells the model what is wrong, and asks for and creates nothing", async () => {
    const before = harness.simulator.record().calendar.length;
    const wrong: [Record<string, unknown>, string][] = [
      [
        { summary: "x", start: "2027-03-28T02:30", durationMinutes: 30 },
        "does not exist in Europe/Berlin",
      ],
      [
        { summary: "x", start: "2027-10-31T02:30", durationMinutes: 30 },
        "happens twice in Europe/Berlin",
      ],
      [{ summary: "x", start: "tomorrow", durationMinutes: 30 }, "is not a time"],
      [{ summary: "x", start: "2027-03-30T09:00" }, "Add an end"],
      [
        { summary: "x", start: "2027-03-30T09:00", end: "2027-03-30T08:00" },
        "end must be after the start",
      ],
      [{ summary: "x", start: "2027-03-30T09:00", end: "2027-03-31" }, "both be days"],
      [
        { summary: "x", start: "2027-03-30T09:00", durationMinutes: 30, timeZone: "Mars/One" },
        "is not a time zone",
      ],
      [
        {
          summary: "x",
          start: "2027-03-30T09:00",
          durationMinutes: 30,
          guests: ["eva@x.example\r\nmallory@evil.example"],
        },
        "contains invisible characters",
      ],
      [
        { summary: "x\u202Ey", start: "2027-03-30T09:00", durationMinutes: 30 },
        "contains invisible characters",
      ],
      [
        {
          summary: "x",
          start: "2027-03-30T09:00",
          durationMinutes: 30,
          recurrence: "EVERY MONDAY",
        },
        "Use a rule",
      ],
      [
        {
          summary: "x",
          start: "2027-03-30T09:00",
          durationMinutes: 30,
          recurrence: "FREQ=WEEKLY;INTERVAL=NaN",
        },
        "INTERVAL=NAN",
      ],
      [
        {
          summary: "x",
          start: "2027-03-30T09:00",
          durationMinutes: 30,
          recurrence: "FREQ=WEEKLY;UNTIL=20270101",
        },
        "end before it starts",
      ],
      [
        { summary: "x", start: "2027-03-30T09:00", durationMinutes: 30, timeZone: "+02:00" },
        "is not a time zone",
      ],
      [{ summary: "x", start: "2027-03-30T09:00", end: "+010000-01-01T00:00Z" }, "is not a time"],
      [
        { summary: "x", start: "2027-03-30", calendarId: "nobody@elsewhere.example" },
        "couldn't find it",
      ],
      [
        {
          summary: "x",
          start: "2027-03-30",
          calendarId: "de.german#holiday@group.v.calendar.google.com",
        },
        "can only read",
      ],
      [{ summary: "x", start: "2027-03-30", calendarId: harness.colleague }, "can only read"],
    ];
    for (const [input, words] of wrong) {
      const { output, approval, run } = await perform({ tool: "calendar_event_create", input });
      expect(approval, JSON.stringify(input)).toBeUndefined();
      expect(run.status).toBe("completed");
      expect(output.message, JSON.stringify(input)).toContain(words);
    }
    const theirs = harness.simulator.control.createEvent(
      { account: harness.colleague },
      {
        summary: "Theirs",
        start: { date: "2027-08-02" },
        end: { date: "2027-08-03" },
        attendees: [{ email: harness.owner }],
      },
    );
    const refused = await perform({
      tool: "calendar_event_update",
      input: { eventId: theirs.id, summary: "Mine" },
    });
    expect(refused.approval).toBeUndefined();
    expect(refused.output.message).toContain("can change this event");
    const gone = await perform({
      tool: "calendar_event_update",
      input: { eventId: "nothing12345", summary: "x" },
    });
    expect(gone.output.message).toContain("no longer exists");
    expect(
      harness.simulator
        .record()
        .calendar.slice(before)
        .filter(({ by }) => by === "app"),
    ).toEqual([]);
  });

  it("X1 changes nothing when the owner changed the event after it was shown", async () => {
    const made = await perform({
      tool: "calendar_event_create",
      input: { summary: "Mine", start: "2027-07-05T10:00", durationMinutes: 30 },
    });
    const parked = await harness.runUntilParked(
      JSON.stringify([
        {
          tool: "calendar_event_update",
          input: { eventId: made.output.eventId, summary: "Theirs" },
        },
      ]),
    );
    expect(parked.status).toBe("awaiting_confirmation");
    harness.simulator.control.changeEvent({ account: harness.owner }, made.output.eventId, {
      summary: "Changed by hand",
    });
    await harness.approve(parked.id);
    await harness.waitUntilParked(parked.id);
    const output = outputsOf(await harness.events(parked.id), "calendar_event_update").at(-1) as {
      message: string;
    };
    expect(output.message).toContain("edited in the calendar after you reviewed it");
    expect(changes(made.output.eventId).at(-1)).toMatchObject({ kind: "inserted" });
  });

  it("X1 changes nothing in a series when the owner changed one occurrence after it was shown", async () => {
    const made = await perform({
      tool: "calendar_event_create",
      input: {
        summary: "Stand-up",
        start: "2027-09-06T09:00",
        durationMinutes: 15,
        recurrence: "FREQ=WEEKLY;COUNT=3",
      },
    });
    const series = {
      tool: "calendar_event_update",
      input: { eventId: made.output.eventId, start: "2027-09-06T14:00" },
    };
    const parked = await harness.runUntilParked(JSON.stringify([series]));
    expect(parked.status).toBe("awaiting_confirmation");
    const time = (hour: string) => ({
      dateTime: `2027-09-13T${hour}:00+02:00`,
      timeZone: "Europe/Berlin",
    });
    harness.simulator.control.changeEvent(
      { account: harness.owner },
      `${made.output.eventId}_20270913T070000Z`,
      { start: time("16:00"), end: time("16:15"), location: "Room 4" },
    );
    await harness.approve(parked.id);
    await harness.waitUntilParked(parked.id);
    const output = outputsOf(await harness.events(parked.id), "calendar_event_update").at(-1) as {
      message: string;
    };
    expect(output.message).toContain("edited in the calendar after you reviewed it");
    expect(changes(made.output.eventId).at(-1)).toMatchObject({ kind: "inserted" });
    const again = await perform(series);
    expect(again.approval?.preview).toContain("Will be lost: 1 occurrence");
    expect(changes(made.output.eventId).at(-1)).toMatchObject({ kind: "patched" });
  });

  it("BR20 BR26 parks when the calendar was deselected at the consent page, and continues once it is allowed", async () => {
    const client = harness.runtime.clientFor(ownerId);
    await client.call("POST /api/connections/:provider/disconnect", {
      params: { provider: "google" },
    });
    await harness.connect("allow", (scope) => !scope.includes("calendar"));
    const [google] = (await client.call("GET /api/connections")).connections;
    expect(google?.scopes.map(({ granted }) => granted)).toEqual([true, true, false]);
    expect(
      (
        await harness.runUntilParked(
          JSON.stringify([{ tool: "gmail_search", input: { query: "invoice" } }]),
        )
      ).status,
    ).toBe("completed");
    const parked = await harness.runUntilParked(
      JSON.stringify([{ tool: "calendar_search", input: {} }]),
    );
    expect(parked.status).toBe("awaiting_auth");
    expect(await harness.events(parked.id)).toContainEqual(
      expect.objectContaining({
        type: "auth",
        payload: expect.objectContaining({
          why: expect.objectContaining({ code: "service_missing", service: "Google Calendar" }),
        }),
      }),
    );
    await harness.connect();
    expect((await harness.waitUntilParked(parked.id)).status).toBe("completed");
  });
});
