import type { calendar_v3 } from "@googleapis/calendar";
import { describe, expect, it } from "vitest";
import { diffEvent, toPatch } from "./diff-event.ts";
import { updateInput } from "./event-input.ts";

const zone = "Europe/Berlin";
const at = (dateTime: string) => ({ dateTime, timeZone: zone });
const event: calendar_v3.Schema$Event = {
  id: "call",
  summary: "Call",
  location: "Here",
  start: at("2031-05-05T09:00:00+02:00"),
  end: at("2031-05-05T10:00:00+02:00"),
  attendees: [{ email: "eva@x.example" }],
};
const diff = (input: Record<string, unknown>, of = event) =>
  diffEvent(updateInput.parse({ eventId: "call", ...input }), of, {
    zone,
    now: Date.parse("2031-01-01T10:00:00Z"),
  });

describe("diffEvent and toPatch", () => {
  it.each([
    ["a title", { summary: "Talk" }, { summary: "Talk" }],
    ["only the texts that differ", { summary: "Call", location: "" }, { location: "" }],
    [
      "a start that keeps the length",
      { start: "2031-05-06T11:00" },
      {
        start: { date: null, ...at("2031-05-06T11:00:00+02:00") },
        end: { date: null, ...at("2031-05-06T12:00:00+02:00") },
      },
    ],
    [
      "a time that becomes a day",
      { start: "2031-05-06", end: "2031-05-06" },
      {
        start: { date: "2031-05-06", dateTime: null, timeZone: null },
        end: { date: "2031-05-07", dateTime: null, timeZone: null },
      },
    ],
    [
      "a guest more",
      { addGuests: ["Ben <ben@x.example>", "EVA@x.example"] },
      { attendees: [{ email: "eva@x.example" }, { email: "ben@x.example" }] },
    ],
    ["a guest less", { removeGuests: ["eva@x.example"] }, { attendees: [] }],
    [
      "a rule",
      { recurrence: "RRULE:FREQ=WEEKLY;COUNT=3" },
      { recurrence: ["RRULE:FREQ=WEEKLY;COUNT=3"] },
    ],
  ])("contain %s", (_, input, patch) => {
    expect(toPatch(diff(input))).toEqual(patch);
  });

  it.each([
    ["nothing", {}, "Nothing would change"],
    ["what the event already says", { summary: "Call", location: "Here" }, "Nothing would change"],
    ["the same time", { start: "2031-05-05T09:00" }, "Nothing would change"],
    ["a guest who is invited", { addGuests: ["eva@x.example"] }, "Nothing would change"],
    ["a guest who is not invited", { removeGuests: ["ben@x.example"] }, "is not a guest"],
    ["a time zone alone", { timeZone: "Asia/Tokyo" }, "A time zone alone changes nothing"],
    ["an end before its start", { end: "2031-05-05T08:00" }, "The end must be after the start"],
    ["a title of two lines", { summary: "Call\nTalk" }, "The title"],
  ])("reject %s", (_, input, message) => {
    expect(() => diff(input)).toThrow(message);
  });

  it("rejects a time for an event that has none", () => {
    const { start: _start, end: _end, ...timeless } = event;
    expect(() => diff({ start: "2031-05-06T11:00" }, timeless)).toThrow("no time to change");
  });
});
