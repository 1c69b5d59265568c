import { describe, expect, it } from "vitest";
import { eventFacts } from "./event-facts.ts";
import { createInput } from "./event-input.ts";
import { prepareEvent } from "./prepared-event.ts";

const place = { account: "mara@lindqvist.example", zone: "Europe/Berlin" };
const prepare = (input: Record<string, unknown>) =>
  prepareEvent(
    createInput.parse({
      summary: "Tubes",
      start: "2031-05-05T09:00",
      durationMinutes: 30,
      ...input,
    }),
    place,
  );

describe("a prepared new event", () => {
  it("X1 is shown in full, with its calendar", () => {
    const { preview } = prepare({
      location: "Workshop",
      description: "Prices.\nDates.",
      guests: ["Eva <eva@x.example>"],
      recurrence: "FREQ=WEEKLY;BYDAY=MO;COUNT=3",
    });
    expect(preview).toBe(
      [
        "New event: Tubes",
        "When: Mon, May 5, 2031, 9:00–9:30 AM (Europe/Berlin, UTC+02:00)",
        "Repeats: every week on Monday, 3 times",
        "Dates: Mon, May 5, 2031; Mon, May 12, 2031; Mon, May 19, 2031 (3 total)",
        "Where: Workshop",
        "Guests: Eva <eva@x.example>",
        "Guests will get an email from Google.",
        "Calendar: mara@lindqvist.example",
        "",
        "Prices.\nDates.",
      ].join("\n"),
    );
  });

  it("X1 names a calendar that differs from the account", () => {
    expect(prepare({ calendarId: "team@group.example" }).preview).toContain(
      "Calendar: team@group.example, as mara@lindqvist.example",
    );
  });

  it("X1 lists every guest once, for the owner, the calendar and the policy", () => {
    const { prepared, preview } = prepare({
      guests: ["eva@x.example", "Eva <EVA@x.example>", "tom@x.example", "eva@x.example"],
    });
    expect(prepared.guests).toEqual(["eva@x.example", "tom@x.example"]);
    expect(prepared.event["attendees"]).toEqual([
      { email: "eva@x.example" },
      { email: "tom@x.example" },
    ]);
    expect(preview).toContain("Guests: eva@x.example, tom@x.example\n");
    expect(eventFacts(prepared).recipients.map(({ address }) => address)).toEqual([
      "eva@x.example",
      "tom@x.example",
    ]);
  });

  it.each([
    [{ summary: "Tubes\u202Esebut" }, "The title"],
    [{ location: "Room\u200B 4" }, "The location"],
    [{ location: "Room\n4" }, "The location"],
    [{ end: "2031-05-05T10:00" }, "not both"],
    [{ timeZone: "+02:00" }, "is not a time zone"],
    [{ timeZone: "Mars/One" }, "is not a time zone"],
    [{ durationMinutes: undefined, end: "+010000-01-01T00:00Z" }, "is not a time"],
    [{ durationMinutes: undefined, end: "9999-12-31T23:59" }, "The year 9999"],
    [{ start: "2201-01-01T09:00Z" }, "The year 2201"],
    [{ start: "1899-01-01" }, "The year 1899"],
    [{ recurrence: "FREQ=WEEKLY;INTERVAL=NaN" }, "INTERVAL=NAN"],
  ])("RT13 is rejected with a reason: %j", (input, words) => {
    expect(() => prepare(input)).toThrow(words);
  });
});
