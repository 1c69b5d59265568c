import { afterEach, describe, expect, it } from "vitest";
import { openCalendarHarness, owner, type CalendarHarness } from "./calendar-harness.fixture.ts";
import type { PreparedEvent } from "./prepared-event.ts";
import { readSchedule } from "./read-schedule.ts";

const zone = "Europe/Berlin";
const at = (clock: string) => `2031-05-08T${clock}:00+02:00`;
const timed = (from: string, to: string) => ({
  start: { dateTime: at(from), timeZone: zone },
  end: { dateTime: at(to), timeZone: zone },
});
const meeting = (id: string, from: string, to: string, more: object = {}) => ({
  id,
  summary: id,
  ...timed(from, to),
  ...more,
});
const notComing = { attendees: [{ self: true, responseStatus: "declined" }] };

const form = (event: PreparedEvent["event"]): PreparedEvent => ({
  account: owner,
  calendarId: "primary",
  eventId: "wanted",
  mark: "",
  guests: [],
  notify: false,
  known: [],
  event,
});

describe("the schedule beside an approval", () => {
  let harness: CalendarHarness | undefined;
  afterEach(async () => await harness?.close());
  const scheduleOf = async (items: readonly object[], event: PreparedEvent["event"]) => {
    harness = await openCalendarHarness(() => ({ body: { items } }));
    const signal = new AbortController().signal;
    return await readSchedule(harness.deps, form(event), { ownerId: "owner", signal });
  };
  const wanted = timed("15:00", "15:30");

  it("names what is at the same time, and the next free slot", async () => {
    const items = [
      meeting("Standup", "09:00", "09:15"),
      meeting("Paint samples", "14:30", "15:30"),
      meeting("Review", "15:30", "16:10"),
    ];
    expect(await scheduleOf(items, wanted)).toEqual({
      kind: "schedule",
      timeZone: zone,
      events: [
        { title: "Standup", start: at("09:00"), end: at("09:15"), clashes: false },
        { title: "Paint samples", start: at("14:30"), end: at("15:30"), clashes: true },
        { title: "Review", start: at("15:30"), end: at("16:10"), clashes: false },
      ],
      nextFree: { start: at("16:10"), end: at("16:40") },
    });
    expect(harness?.asked).toMatchObject([
      { query: { timeMin: at("00:00"), timeMax: "2031-05-08T22:00:00.000Z" } },
    ]);
  });

  it.each([
    ["the event itself", meeting("wanted", "15:00", "15:30")],
    ["an occurrence of it", meeting("one", "15:00", "15:30", { recurringEventId: "wanted" })],
    ["what ends as it starts", meeting("Before", "14:00", "15:00")],
    ["what was declined", meeting("Declined", "15:00", "16:00", notComing)],
    ["what is shown as free", meeting("Focus", "15:00", "16:00", { transparency: "transparent" })],
    ["a canceled event", meeting("Gone", "15:00", "16:00", { status: "cancelled" })],
    ["a day", { id: "day", start: { date: "2031-05-08" }, end: { date: "2031-05-09" } }],
  ])("does not count %s as a clash", async (_, item) => {
    const schedule = await scheduleOf([item], wanted);
    expect(schedule).toMatchObject({ nextFree: null });
    expect(JSON.stringify(schedule)).not.toContain('"clashes":true');
  });

  it("offers no slot in the evening or on the next day", async () => {
    const items = [meeting("Offsite", "14:00", "18:45")];
    expect(await scheduleOf(items, wanted)).toMatchObject({ nextFree: null });
  });

  it.each([
    ["a change of something else", { summary: "New title" }],
    ["all-day events", { start: { date: "2031-05-08" }, end: { date: "2031-05-09" } }],
  ])("is empty for %s", async (_, event) => {
    expect(await scheduleOf([], event)).toBeUndefined();
    expect(harness?.asked).toEqual([]);
  });
});
