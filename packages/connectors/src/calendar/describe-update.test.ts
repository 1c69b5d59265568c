import { describe, expect, it } from "vitest";
import { describeUpdate } from "./describe-update.ts";
import type { EventDiff } from "./diff-event.ts";

const zone = "Europe/Berlin";
const at = (time: string) => ({ dateTime: `2031-05-05T${time}:00+02:00`, timeZone: zone });
const event = {
  summary: "Call",
  location: "Here",
  start: at("09:00"),
  end: at("10:00"),
  attendees: [{ email: "eva@x.example" }],
};
const unchanged: EventDiff = {
  summary: undefined,
  location: undefined,
  description: undefined,
  span: undefined,
  attendees: undefined,
  recurrence: undefined,
  seriesLines: [],
  lost: [],
};
const prepared = {
  account: "mara@lindqvist.example",
  calendarId: "primary",
  eventId: "call",
  mark: "mark",
  guests: ["eva@x.example"],
  notify: true,
  known: [],
  event: {},
};
const previewOf = (diff: Partial<EventDiff>, of: object = {}) =>
  describeUpdate(
    { event: { ...event, ...of }, occurrences: [], zone },
    { ...unchanged, ...diff },
    prepared,
  ).split("\n");

const changes: readonly [string, Partial<EventDiff>, string][] = [
  ["a title", { summary: "Talk" }, "Title: Call → Talk"],
  ["a place that is removed", { location: "" }, "Where: Here → (none)"],
  [
    "a time",
    { span: { start: at("11:00"), end: at("12:00") } },
    "When: Mon, May 5, 2031, 9:00–10:00 AM (Europe/Berlin, UTC+02:00) → Mon, May 5, 2031, 11:00 AM–12:00 PM (Europe/Berlin, UTC+02:00)",
  ],
  ["the guest list", { attendees: [] }, "Guest list: eva@x.example → (none)"],
  ["the lines of a series", { seriesLines: ["Repeats: daily"] }, "Repeats: daily"],
  ["a description", { description: "New." }, "New description:"],
];

describe("describeUpdate", () => {
  it.each(changes)("shows %s", (_, diff, line) => {
    expect(previewOf(diff)).toContain(line);
  });

  it("shows when and where an unchanged event is, and no diff", () => {
    expect(previewOf({}).slice(0, 2)).toEqual([
      "Update event: Call",
      "When: Mon, May 5, 2031, 9:00–10:00 AM (Europe/Berlin, UTC+02:00)",
    ]);
    expect(previewOf({}).join("\n")).not.toContain("→");
  });

  it.each([
    ["a single event", {}, "Update event: Call"],
    ["an event without a title", { summary: undefined }, "Update event: (no title)"],
    ["one occurrence", { recurringEventId: "call" }, "Update event: Call · only this event"],
    ["a series", { recurrence: ["RRULE:FREQ=DAILY"] }, "Update event: Call · entire series"],
  ])("names %s", (_, of, line) => {
    expect(previewOf({}, of)[0]).toBe(line);
  });
});
