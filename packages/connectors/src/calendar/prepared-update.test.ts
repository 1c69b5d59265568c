import type { calendar_v3 } from "@googleapis/calendar";
import { describe, expect, it } from "vitest";
import { updateInput } from "./event-input.ts";
import { prepareUpdate } from "./prepared-update.ts";

const zone = "Europe/Berlin";
const at = (dateTime: string, timeZone = zone) => ({ dateTime, timeZone });
const call: calendar_v3.Schema$Event = {
  id: "call",
  etag: '"1"',
  iCalUID: "call@google.com",
  summary: "Call",
  location: "Here",
  start: at("2031-05-05T09:00:00+02:00"),
  end: at("2031-05-05T10:00:00+02:00"),
  organizer: { email: "mara@lindqvist.example", self: true },
  attendees: [
    { email: "mara@lindqvist.example", self: true },
    { email: "eva@x.example", responseStatus: "accepted" },
    { email: "room@x.example", resource: true },
  ],
};
const weekly = { ...call, recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5"] };
const moved: calendar_v3.Schema$Event = {
  ...call,
  id: "call_2",
  etag: '"7"',
  recurringEventId: "call",
  originalStartTime: at("2031-05-12T09:00:00+02:00"),
  start: at("2031-05-12T16:00:00+02:00"),
  end: at("2031-05-12T17:00:00+02:00"),
  location: "Room 4",
  attendees: [{ email: "only-then@x.example" }],
};

const span = (from: string) => ({
  start: at(`${from}:00+01:00`),
  end: at(`${from.slice(0, 11)}10:00:00+01:00`),
});
/** Mondays at 9:00 from January 6, canceled on the 13th, with extra dates on the 8th and 9th. */
const off = {
  ...call,
  ...span("2031-01-06T09:00"),
  recurrence: [
    "RRULE:FREQ=WEEKLY;COUNT=4",
    "EXDATE;TZID=Europe/Berlin:20310113T090000",
    "RDATE;TZID=Europe/Berlin:20310108T090000,20310109T150000",
  ],
};

function prepare(
  input: Record<string, unknown>,
  event: calendar_v3.Schema$Event = call,
  occurrences: calendar_v3.Schema$Event[] = [],
) {
  return prepareUpdate(updateInput.parse({ eventId: event.id, ...input }), {
    account: "mara@lindqvist.example",
    zone,
    event,
    occurrences,
    now: Date.parse("2031-01-01T10:00:00Z"),
  });
}

describe("a prepared event change", () => {
  it("X1 is shown as a diff, with the calendar and who is notified", () => {
    const { preview } = prepare({
      summary: "Talk",
      location: "",
      description: "New.",
      notifyGuests: false,
    });
    expect(preview).toBe(
      [
        "Update event: Call",
        "Title: Call → Talk",
        "When: Mon, May 5, 2031, 9:00–10:00 AM (Europe/Berlin, UTC+02:00)",
        "Where: Here → (none)",
        "Guests: eva@x.example, room@x.example",
        "Guests won't get an email, but they can see the event.",
        "Calendar: mara@lindqvist.example",
        "New description:",
        "",
        "New.",
      ].join("\n"),
    );
  });

  it("X1 neither shows nor requests what would not change", () => {
    const { prepared, preview } = prepare({
      summary: "Talk",
      location: "Here",
      start: "2031-05-05T07:00Z",
      addGuests: ["eva@x.example"],
    });
    expect(Object.keys(prepared.event)).toEqual(["summary", "extendedProperties"]);
    expect(preview).not.toMatch(/Where:|Guest list:|When:.*→/);
    // The same moment in another zone is a change, because that zone changes its clocks on other
    // days.
    expect(
      prepare({ start: "2031-05-05T09:00", timeZone: "Europe/Paris" }).prepared.event,
    ).toMatchObject({ start: { timeZone: "Europe/Paris" } });
  });

  it("X1 spells out hidden characters in the event and in a new description", () => {
    const { preview } = prepare(
      { description: "Line one\nline two\u202E\u{E0041}" },
      { ...call, summary: "Call\n\u202Eevil", location: "A\u200Bb" },
    );
    expect(preview).toContain("Update event: Call\\u{a}\\u{202e}evil\n");
    expect(preview).toMatch(/\n\nLine one\nline two\\u\{202e\}\\u\{e0041\}$/);
    expect(prepare({ location: "" }, { ...call, location: "A\u200Bb" }).preview).toContain(
      "Where: A\\u{200b}b → (none)",
    );
  });

  it("X1 notifies removed guests too, and says so", () => {
    const { prepared, preview } = prepare({
      removeGuests: ["EVA@x.example"],
      addGuests: ["tom@x.example", "Tom <tom@x.example>"],
    });
    expect(prepared.guests).toEqual(["eva@x.example", "room@x.example", "tom@x.example"]);
    expect(prepared.notify).toBe(true);
    expect(prepared.event["attendees"]).toEqual([
      { email: "mara@lindqvist.example", self: true },
      { email: "room@x.example", resource: true },
      { email: "tom@x.example" },
    ]);
    expect(preview).toContain(
      "Guest list: eva@x.example, room@x.example → room@x.example, tom@x.example",
    );
  });

  it("RT9 invites no one twice and keeps existing responses", () => {
    const { prepared } = prepare({ addGuests: ["Eva <eva@X.example>", "tom@x.example"] });
    expect(prepared.event["attendees"]).toEqual([
      ...(call.attendees ?? []),
      { email: "tom@x.example" },
    ]);
  });

  it("RT9 reads local times in the event's own zone", () => {
    const abroad = {
      ...call,
      start: at("2031-05-05T09:00:00-04:00", "America/New_York"),
      end: at("2031-05-05T10:00:00-04:00", "America/New_York"),
    };
    expect(prepare({ start: "2031-05-06T11:00" }, abroad).prepared.event).toMatchObject({
      start: { dateTime: "2031-05-06T11:00:00-04:00", timeZone: "America/New_York", date: null },
      end: { dateTime: "2031-05-06T12:00:00-04:00" },
    });
    expect(
      prepare({ start: "2031-05-06T11:00", timeZone: "Asia/Tokyo" }, abroad).prepared.event,
    ).toMatchObject({ start: { dateTime: "2031-05-06T11:00:00+09:00" } });
  });

  it("RT9 accepts an event with an unknown zone", () => {
    const odd = {
      ...call,
      start: at("2031-05-05T09:00:00+02:00", "GMT+02:00 (custom)"),
      end: at("2031-05-05T10:00:00+02:00", "GMT+02:00 (custom)"),
    };
    expect(prepare({ location: "There" }, odd).preview).toContain(
      "When: Mon, May 5, 2031, 9:00–10:00 AM (Europe/Berlin, UTC+02:00)",
    );
  });

  it("X1 to a series names its dates and its changed occurrences, and digests them", () => {
    const { prepared, preview } = prepare({ start: "2031-05-05T14:00" }, weekly, [moved]);
    expect(preview).toContain("Update event: Call · entire series");
    expect(preview).toContain(
      "Dates: Mon, May 5, 2031; Mon, May 12, 2031; Mon, May 19, 2031; Mon, May 26, 2031; Mon, Jun 2, 2031 (5 total)",
    );
    expect(preview).toContain(
      "Will be lost: 1 occurrence that was changed or canceled individually\n- Mon, May 12, 2031, 9:00 AM: Mon, May 12, 2031, 4:00–5:00 PM (Europe/Berlin, UTC+02:00), Call, Room 4\n",
    );
    expect(prepared).toMatchObject({
      iCalUID: "call@google.com",
      occurrences: [{ eventId: "call_2", etag: '"7"' }],
    });
    expect(prepared.guests).toContain("only-then@x.example");
    expect(prepare({ summary: "Talk" }, weekly, [moved]).preview).toContain(
      "May not apply to: 1 occurrence",
    );
    expect(prepare({ summary: "Talk" }).prepared).toMatchObject({ iCalUID: "", occurrences: [] });
  });

  it("X1 names at most ten occurrences, and how many more there are", () => {
    const many = Array.from({ length: 13 }, (_, index) => ({
      ...moved,
      id: `call_${index}`,
      status: "cancelled",
    }));
    const { preview } = prepare({ summary: "Talk" }, weekly, many);
    expect(preview.match(/canceled$/gm)).toHaveLength(10);
    expect(preview).toContain("13 occurrences that were changed or canceled individually");
    expect(preview).toContain("- and 3 more");
  });

  it("X1 to a series always shows its rule and its next dates", () => {
    const monthly = {
      ...call,
      ...span("2031-02-10T09:00"),
      recurrence: ["RRULE:FREQ=MONTHLY;BYDAY=2MO;COUNT=3"],
    };
    expect(prepare({ start: "2031-02-10T11:00" }, monthly).preview).toContain(
      "\nRepeats: every month on the second Monday, 3 times\nDates: Mon, Feb 10, 2031; Mon, Mar 10, 2031; Mon, Apr 14, 2031 (3 total)\n",
    );
    expect(prepare({ summary: "Talk" }, monthly).preview).toContain(
      "\nRepeats: every month on the second Monday, 3 times\nDates: Mon, Feb 10, 2031",
    );
    const started = {
      ...call,
      ...span("2030-12-09T09:00"),
      recurrence: ["RRULE:FREQ=WEEKLY;COUNT=6"],
    };
    expect(prepare({ location: "There" }, started).preview).toContain(
      "\nNext dates: Mon, Jan 6, 2031; Mon, Jan 13, 2031 (2 left)\n",
    );
    expect(
      prepare({ location: "There" }, { ...started, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=2"] })
        .preview,
    ).toContain("\nDates: none left\n");
    expect(
      prepare({ location: "There" }, { ...started, recurrence: ["RRULE:FREQ=YEARLY;BYWEEKNO=50"] })
        .preview,
    ).toContain("\nRepeats: RRULE:FREQ=YEARLY;BYWEEKNO=50\nDates: not shown");
  });

  it("X1 to a series keeps individually canceled or added days at the new hour", () => {
    const { prepared, preview } = prepare({ start: "2031-01-06T10:00" }, off);
    expect(prepared.event["recurrence"]).toEqual([
      "RRULE:FREQ=WEEKLY;COUNT=4",
      "EXDATE;TZID=Europe/Berlin:20310113T100000",
      "RDATE;TZID=Europe/Berlin:20310108T100000,20310109T150000",
    ]);
    expect(preview).toContain(
      "\nRepeats: every week, 4 times\nCanceled: Mon, Jan 13, 2031\nDates: Mon, Jan 6, 2031; Wed, Jan 8, 2031; Thu, Jan 9, 2031 at 3:00 PM; Mon, Jan 20, 2031; Mon, Jan 27, 2031 (5 total)\n",
    );
    expect(preview).not.toContain("Will be lost");
    // Other changes leave these dates alone.
    expect(prepare({ end: "2031-01-06T12:00" }, off).prepared.event).not.toHaveProperty(
      "recurrence",
    );
    expect(prepare({ location: "There" }, off).preview).toContain(
      "\nCanceled: Mon, Jan 13, 2031\n",
    );
  });

  it("X1 to a series names the canceled or added days that it cannot keep", () => {
    const { prepared, preview } = prepare({ start: "2031-01-07T09:00" }, off);
    expect(prepared.event["recurrence"]).toEqual([
      "RRULE:FREQ=WEEKLY;COUNT=4",
      "RDATE;TZID=Europe/Berlin:20310108T090000,20310109T150000",
    ]);
    expect(preview).toContain(
      "\nWill be lost: 1 occurrence that was changed or canceled individually\n- Mon, Jan 13, 2031, 9:00 AM: canceled\n",
    );
    const ruled = prepare({ recurrence: "FREQ=DAILY;COUNT=3" }, off);
    expect(ruled.preview).toContain("- Mon, Jan 13, 2031, 9:00 AM: canceled\n");
    expect(
      prepare({ recurrence: "FREQ=DAILY;COUNT=30" }, off).prepared.event["recurrence"],
    ).toContain("EXDATE;TZID=Europe/Berlin:20310113T090000");
    expect(prepare({ start: "2031-01-13T09:00" }, off).preview).toMatch(
      /- Wed, Jan 8, 2031, 9:00 AM: added individually\n- Thu, Jan 9, 2031, 3:00 PM: added individually\n/,
    );
    expect(
      prepare(
        { start: "2031-01-06T10:00" },
        { ...off, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;VALUE=DATE:20310113"] },
      ).preview,
    ).toContain("- EXDATE;VALUE=DATE:20310113\n");
  });

  it.each<[string, string, string, string[] | undefined]>([
    [
      "later, with an end at the last of them",
      "2031-01-06T10:00",
      "UNTIL=20310120T080000Z",
      ["RRULE:FREQ=WEEKLY;UNTIL=20310120T090000Z"],
    ],
    [
      "earlier, with an end before one that was not",
      "2031-01-06T07:00",
      "UNTIL=20310127T070000Z",
      ["RRULE:FREQ=WEEKLY;UNTIL=20310127T055959Z"],
    ],
    [
      "with an end that names the whole day",
      "2031-01-06T10:00",
      "UNTIL=20310120T225959Z",
      undefined,
    ],
    [
      "on other clocks",
      "2031-01-06T12:00 America/New_York",
      "UNTIL=20310120T080000Z",
      ["RRULE:FREQ=WEEKLY;UNTIL=20310120T170000Z"],
    ],
  ])("X1 to a series keeps its days at another hour: %s", (_, to, until, recurrence) => {
    const [start, timeZone] = to.split(" ");
    const { prepared, preview } = prepare(
      { start, timeZone },
      { ...call, ...span("2031-01-06T09:00"), recurrence: [`RRULE:FREQ=WEEKLY;${until}`] },
    );
    expect(prepared.event["recurrence"]).toEqual(recurrence);
    expect(preview).toContain(
      "\nDates: Mon, Jan 6, 2031; Mon, Jan 13, 2031; Mon, Jan 20, 2031 (3 total)\n",
    );
    expect(/Repeats: .* → /.test(preview)).toBe(recurrence !== undefined);
  });

  it("X1 to a series that starts a week later still ends on the same day", () => {
    const { prepared, preview } = prepare(
      { start: "2031-01-13T10:00" },
      {
        ...call,
        ...span("2031-01-06T09:00"),
        recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20310120T080000Z"],
      },
    );
    expect(prepared.event["recurrence"]).toEqual(["RRULE:FREQ=WEEKLY;UNTIL=20310120T090000Z"]);
    expect(preview).toContain("Dates: Mon, Jan 13, 2031; Mon, Jan 20, 2031 (2 total)");
  });

  it("X1 to an all-day series that gets a time ends on the same day", () => {
    const days = {
      ...call,
      start: { date: "2031-01-06" },
      end: { date: "2031-01-07" },
      recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20310120"],
    };
    const { prepared, preview } = prepare(
      { start: "2031-01-06T09:00", end: "2031-01-06T10:00" },
      days,
    );
    expect(prepared.event["recurrence"]).toEqual(["RRULE:FREQ=WEEKLY;UNTIL=20310120T080000Z"]);
    expect(preview).toContain(
      "Dates: Mon, Jan 6, 2031; Mon, Jan 13, 2031; Mon, Jan 20, 2031 (3 total)",
    );
  });

  it("X1 to a series neither cancels other dates nor brings back canceled extra dates", () => {
    const odd = {
      ...off,
      recurrence: [
        "RRULE:FREQ=WEEKLY;COUNT=4",
        "RDATE;TZID=Europe/Berlin:20310109T150000",
        "EXDATE;TZID=Europe/Berlin:20310109T150000,20310120T120000",
      ],
    };
    const { prepared, preview } = prepare({ start: "2031-01-06T12:00" }, odd);
    expect(prepared.event["recurrence"]).toEqual(["RRULE:FREQ=WEEKLY;COUNT=4"]);
    expect(preview).toContain(
      "Dates: Mon, Jan 6, 2031; Mon, Jan 13, 2031; Mon, Jan 20, 2031; Mon, Jan 27, 2031 (4 total)",
    );
    expect(preview).not.toContain("Will be lost");
  });

  it.each([
    "EXDATE;VALUE=DATE:20310113",
    "EXDATE;TZID=Nowhere/Else:20310113T090000",
    "RDATE;VALUE=PERIOD:20310113T080000Z/PT1H",
    "EXRULE:FREQ=MONTHLY",
  ])("X1 to a series does not compute unsupported rules: %s", (line) => {
    const unclear = { ...off, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4", line] };
    expect(prepare({ location: "There" }, unclear).preview).toContain(
      `\nRepeats: every week, 4 times, ${line}\nDates: not shown`,
    );
    expect(prepare({ start: "2031-01-06T10:00" }, unclear).preview).toContain(`\n- ${line}\n`);
  });

  it("X1 to a series keeps canceled dates when days become times, also in UTC", () => {
    const days = {
      ...call,
      start: { date: "2031-01-06" },
      end: { date: "2031-01-07" },
      recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE;VALUE=DATE:20310113,20310120"],
    };
    expect(
      prepare({ start: "2031-01-06T09:00", end: "2031-01-06T10:00" }, days).prepared.event[
        "recurrence"
      ],
    ).toEqual([
      "RRULE:FREQ=WEEKLY;COUNT=4",
      "EXDATE;TZID=Europe/Berlin:20310113T090000,20310120T090000",
    ]);
    expect(
      prepare(
        { start: "2031-01-07" },
        { ...days, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE:20310113T000000Z"] },
      ).preview,
    ).toContain("\n- EXDATE:20310113T000000Z\n");
    const inUtc = { ...off, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4", "EXDATE:20310113T080000Z"] };
    expect(prepare({ start: "2031-01-06" }, inUtc).prepared.event["recurrence"]).toEqual([
      "RRULE:FREQ=WEEKLY;COUNT=4",
      "EXDATE;VALUE=DATE:20310113",
    ]);
  });

  it("X1 shows how a rule changes", () => {
    expect(prepare({ recurrence: "FREQ=DAILY;COUNT=2" }, weekly).preview).toContain(
      "Repeats: every week on Monday, 5 times → every day, 2 times\nDates: Mon, May 5, 2031; Tue, May 6, 2031 (2 total)",
    );
    expect(prepare({ recurrence: "FREQ=DAILY;COUNT=2" }).preview).toContain(
      "Repeats: (none) → every day, 2 times",
    );
  });

  const theirs = { ...call, organizer: { email: "jonas@lindqvist.example", displayName: "Jonas" } };
  it.each<[string, Record<string, unknown>, calendar_v3.Schema$Event, string]>([
    ["another person's event", { summary: "Mine" }, theirs, "Only Jonas can change this event"],
    ["a locked one", { summary: "Mine" }, { ...call, locked: true }, "can change this event"],
    [
      "a rule for one occurrence",
      { recurrence: "FREQ=DAILY" },
      moved,
      "A single occurrence has no rule. Change the series call",
    ],
    [
      "a guest who is not there",
      { removeGuests: ["nobody@x.example"] },
      call,
      "nobody@x.example is not a guest. Guests: eva@x.example",
    ],
    ["a title with hidden characters", { summary: "Call\u200F" }, call, "The title"],
    ["a location with hidden characters", { location: "Here\u2060" }, call, "The location"],
    [
      "an all-day event that gets a time without an end",
      { start: "2031-05-05T09:00" },
      { ...call, start: { date: "2031-05-05" }, end: { date: "2031-05-06" } },
      "Add an end",
    ],
    [
      "a start that the rule leaves out",
      { start: "2031-05-06T09:00" },
      weekly,
      "repeats on Monday, but the series starts on a Tuesday",
    ],
    [
      "a start that the rule does not number",
      { start: "2031-02-11T09:00" },
      {
        ...call,
        ...span("2031-02-10T09:00"),
        recurrence: ["RRULE:FREQ=MONTHLY;BYDAY=2MO;COUNT=3"],
      },
      "its first date would be Mon, Mar 10, 2031",
    ],
    [
      "a start on another day of the month",
      { start: "2031-02-20T09:00" },
      { ...call, ...span("2031-02-15T09:00"), recurrence: ["RRULE:FREQ=MONTHLY;BYMONTHDAY=15"] },
      "its first date would be Sat, Mar 15, 2031",
    ],
    [
      "a start for an unsupported rule",
      { start: "2031-05-06T09:00" },
      { ...call, recurrence: ["RRULE:FREQ=YEARLY;BYWEEKNO=19"] },
      "(RRULE:FREQ=YEARLY;BYWEEKNO=19), so the effect of a new start is unknown",
    ],
    [
      "a start for two rules",
      { start: "2031-05-06T09:00" },
      { ...call, recurrence: ["RRULE:FREQ=WEEKLY", "RRULE:FREQ=MONTHLY"] },
      "Add the rule",
    ],
    [
      "a start for single dates",
      { start: "2031-05-06T09:00" },
      { ...call, recurrence: ["RDATE:20310512T070000Z"] },
      "(single dates)",
    ],
    [
      "days for a rule that ends at a time",
      { start: "2031-05-05" },
      { ...call, recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20310512T070000Z"] },
      "it ends at a time, but this is an all-day event",
    ],
    ["a zone alone", { timeZone: "Asia/Tokyo" }, call, "A time zone alone"],
    [
      "an offset in place of a zone",
      { start: "2031-05-06T09:00", timeZone: "+02:00" },
      call,
      "is not a time zone",
    ],
    ["nothing", {}, call, "Say what to change"],
    [
      "unchanged values",
      {
        summary: "Call",
        location: "Here",
        description: "",
        start: "2031-05-05T09:00",
        end: "2031-05-05T10:00",
        addGuests: ["Eva <EVA@x.example>"],
      },
      call,
      "Nothing would change",
    ],
    [
      "the rule that it has",
      { recurrence: "freq=weekly;byday=mo;count=5" },
      weekly,
      "Nothing would change",
    ],
  ])("RT13 rejects %s with a reason before the owner is asked", (_, input, event, words) => {
    expect(() => prepare(input, event)).toThrow(words);
  });

  it("RT9 changes another person's event if guests may", () => {
    expect(
      prepare({ location: "There" }, { ...theirs, guestsCanModify: true }).prepared.event,
    ).toMatchObject({ location: "There" });
    // The organizer sees the change, and so do guests who are hidden from the list.
    const { guests: seenBy, viewers } = prepare(
      { location: "There" },
      { ...theirs, guestsCanModify: true, guestsCanSeeOtherGuests: false },
    ).prepared;
    expect(seenBy).toEqual(
      expect.arrayContaining([theirs.organizer.email, "guests hidden from the list"]),
    );
    expect(viewers).toEqual([theirs.organizer.email, "guests hidden from the list"]);
    expect(prepare({ location: "There" }).prepared.viewers).toEqual([]);
  });

  it("RT9 turns a time into a day, and a day into a time with an end", () => {
    const day = { ...call, start: { date: "2031-05-05" }, end: { date: "2031-05-06" } };
    expect(prepare({ start: "2031-05-07" }).prepared.event).toMatchObject({
      start: { date: "2031-05-07", dateTime: null },
      end: { date: "2031-05-08" },
    });
    expect(
      prepare({ start: "2031-05-07T09:00", end: "2031-05-07T10:00" }, day).prepared.event,
    ).toMatchObject({ start: { date: null, dateTime: "2031-05-07T09:00:00+02:00" } });
  });
});
