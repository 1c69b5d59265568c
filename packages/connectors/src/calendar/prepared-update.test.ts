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
/** Mondays at nine from 6 January; off on the 13th, and on the 8th and 9th besides. */
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
  wish: Record<string, unknown>,
  event: calendar_v3.Schema$Event = call,
  occurrences: calendar_v3.Schema$Event[] = [],
) {
  return prepareUpdate(updateInput.parse({ eventId: event.id, ...wish }), {
    account: "mara@lindqvist.example",
    zone,
    event,
    occurrences,
    now: Date.parse("2031-01-01T10:00:00Z"),
  });
}

describe("a change of an event in its final form", () => {
  it("X1 is shown as a difference, with the calendar and who hears of it", () => {
    const { preview } = prepare({
      summary: "Talk",
      location: "",
      description: "New.",
      notifyGuests: false,
    });
    expect(preview).toBe(
      [
        "Change of: Call",
        "Title: Call → Talk",
        "When: Mon 5 May 2031, 09:00 to 10:00 (Europe/Berlin, UTC+02:00)",
        "Where: Here → (nothing)",
        "Guests: eva@x.example, room@x.example",
        "Google does not write to the guests, but they can see it.",
        "Calendar: mara@lindqvist.example",
        "Its description is replaced by:",
        "",
        "New.",
      ].join("\n"),
    );
  });

  it("X1 shows and asks for nothing that is so already", () => {
    const { prepared, preview } = prepare({
      summary: "Talk",
      location: "Here",
      start: "2031-05-05T07:00Z",
      addGuests: ["eva@x.example"],
    });
    expect(Object.keys(prepared.event)).toEqual(["summary", "extendedProperties"]);
    expect(preview).not.toMatch(/Where:|Guest list:|When:.*→/);
    // The same moment by the clocks of another zone is a change: they are set on other days.
    expect(
      prepare({ start: "2031-05-05T09:00", timeZone: "Europe/Paris" }).prepared.event,
    ).toMatchObject({ start: { timeZone: "Europe/Paris" } });
  });

  it("X1 spells out what others have hidden in an event, and what a new description hides", () => {
    const { preview } = prepare(
      { description: "Line one\nline two\u202E\u{E0041}" },
      { ...call, summary: "Call\n\u202Eevil", location: "A\u200Bb" },
    );
    expect(preview).toContain("Change of: Call\\u{a}\\u{202e}evil\n");
    expect(preview).toMatch(/\n\nLine one\nline two\\u\{202e\}\\u\{e0041\}$/);
    expect(prepare({ location: "" }, { ...call, location: "A\u200Bb" }).preview).toContain(
      "Where: A\\u{200b}b → (nothing)",
    );
  });

  it("X1 tells those who are taken off the list too, and says so", () => {
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

  it("RT9 invites nobody twice and keeps the answers of those who are there", () => {
    const { prepared } = prepare({ addGuests: ["Eva <eva@X.example>", "tom@x.example"] });
    expect(prepared.event["attendees"]).toEqual([
      ...(call.attendees ?? []),
      { email: "tom@x.example" },
    ]);
  });

  it("RT9 takes local times in the event's own zone", () => {
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

  it("RT9 understands an event whose zone nobody knows", () => {
    const odd = {
      ...call,
      start: at("2031-05-05T09:00:00+02:00", "GMT+02:00 (custom)"),
      end: at("2031-05-05T10:00:00+02:00", "GMT+02:00 (custom)"),
    };
    expect(prepare({ location: "There" }, odd).preview).toContain(
      "When: Mon 5 May 2031, 09:00 to 10:00 (Europe/Berlin, UTC+02:00)",
    );
  });

  it("X1 of a series names its dates and what its occurrences have of their own, for the digest too", () => {
    const { prepared, preview } = prepare({ start: "2031-05-05T14:00" }, weekly, [moved]);
    expect(preview).toContain("Change of: Call (the whole series)");
    expect(preview).toContain(
      "Dates: Mon 5 May 2031, Mon 12 May 2031, Mon 19 May 2031, Mon 26 May 2031, Mon 2 Jun 2031 (5 in all)",
    );
    expect(preview).toContain(
      "Lost with it: 1 occurrence that was changed or called off by itself\n- Mon 12 May 2031, 09:00: Mon 12 May 2031, 16:00 to 17:00 (Europe/Berlin, UTC+02:00), Call, Room 4\n",
    );
    expect(prepared).toMatchObject({
      iCalUID: "call@google.com",
      occurrences: [{ eventId: "call_2", etag: '"7"' }],
    });
    expect(prepared.guests).toContain("only-then@x.example");
    expect(prepare({ summary: "Talk" }, weekly, [moved]).preview).toContain(
      "It may not reach: 1 occurrence",
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
    expect(preview.match(/called off$/gm)).toHaveLength(10);
    expect(preview).toContain("13 occurrences that were changed or called off by themselves");
    expect(preview).toContain("- and 3 more");
  });

  it("X1 of a series says by which rule and on which days it goes on, whatever is changed", () => {
    const monthly = {
      ...call,
      ...span("2031-02-10T09:00"),
      recurrence: ["RRULE:FREQ=MONTHLY;BYDAY=2MO;COUNT=3"],
    };
    expect(prepare({ start: "2031-02-10T11:00" }, monthly).preview).toContain(
      "\nRepeats: every month on the second Monday, 3 times\nDates: Mon 10 Feb 2031, Mon 10 Mar 2031, Mon 14 Apr 2031 (3 in all)\n",
    );
    expect(prepare({ summary: "Talk" }, monthly).preview).toContain(
      "\nRepeats: every month on the second Monday, 3 times\nDates: Mon 10 Feb 2031",
    );
    const begun = {
      ...call,
      ...span("2030-12-09T09:00"),
      recurrence: ["RRULE:FREQ=WEEKLY;COUNT=6"],
    };
    expect(prepare({ location: "There" }, begun).preview).toContain(
      "\nNext dates: Mon 6 Jan 2031, Mon 13 Jan 2031 (2 to come)\n",
    );
    expect(
      prepare({ location: "There" }, { ...begun, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=2"] })
        .preview,
    ).toContain("\nDates: none is to come\n");
    expect(
      prepare({ location: "There" }, { ...begun, recurrence: ["RRULE:FREQ=YEARLY;BYWEEKNO=50"] })
        .preview,
    ).toContain("\nRepeats: RRULE:FREQ=YEARLY;BYWEEKNO=50\nDates: not reckoned here");
  });

  it("X1 of a series keeps the days that were called off or added by themselves, at the new hour", () => {
    const { prepared, preview } = prepare({ start: "2031-01-06T10:00" }, off);
    expect(prepared.event["recurrence"]).toEqual([
      "RRULE:FREQ=WEEKLY;COUNT=4",
      "EXDATE;TZID=Europe/Berlin:20310113T100000",
      "RDATE;TZID=Europe/Berlin:20310108T100000,20310109T150000",
    ]);
    expect(preview).toContain(
      "\nRepeats: every week, 4 times\nCalled off: Mon 13 Jan 2031\nDates: Mon 6 Jan 2031, Wed 8 Jan 2031, Thu 9 Jan 2031 at 15:00, Mon 20 Jan 2031, Mon 27 Jan 2031 (5 in all)\n",
    );
    expect(preview).not.toContain("Lost with it");
    // Nothing of it changes with anything else.
    expect(prepare({ end: "2031-01-06T12:00" }, off).prepared.event).not.toHaveProperty(
      "recurrence",
    );
    expect(prepare({ location: "There" }, off).preview).toContain(
      "\nCalled off: Mon 13 Jan 2031\n",
    );
  });

  it("X1 of a series names the days called off or added that it cannot keep", () => {
    const { prepared, preview } = prepare({ start: "2031-01-07T09:00" }, off);
    expect(prepared.event["recurrence"]).toEqual([
      "RRULE:FREQ=WEEKLY;COUNT=4",
      "RDATE;TZID=Europe/Berlin:20310108T090000,20310109T150000",
    ]);
    expect(preview).toContain(
      "\nLost with it: 1 occurrence that was changed or called off by itself\n- Mon 13 Jan 2031, 09:00: called off\n",
    );
    const ruled = prepare({ recurrence: "FREQ=DAILY;COUNT=3" }, off);
    expect(ruled.preview).toContain("- Mon 13 Jan 2031, 09:00: called off\n");
    expect(
      prepare({ recurrence: "FREQ=DAILY;COUNT=30" }, off).prepared.event["recurrence"],
    ).toContain("EXDATE;TZID=Europe/Berlin:20310113T090000");
    expect(prepare({ start: "2031-01-13T09:00" }, off).preview).toMatch(
      /- Wed 8 Jan 2031, 09:00: added by itself\n- Thu 9 Jan 2031, 15:00: added by itself\n/,
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
  ])("X1 of a series has the same days at another hour: %s", (_, to, until, recurrence) => {
    const [start, timeZone] = to.split(" ");
    const { prepared, preview } = prepare(
      { start, timeZone },
      { ...call, ...span("2031-01-06T09:00"), recurrence: [`RRULE:FREQ=WEEKLY;${until}`] },
    );
    expect(prepared.event["recurrence"]).toEqual(recurrence);
    expect(preview).toContain(
      "\nDates: Mon 6 Jan 2031, Mon 13 Jan 2031, Mon 20 Jan 2031 (3 in all)\n",
    );
    expect(/Repeats: .* → /.test(preview)).toBe(recurrence !== undefined);
  });

  it("X1 of a series that begins a week later too ends on the same day", () => {
    const { prepared, preview } = prepare(
      { start: "2031-01-13T10:00" },
      {
        ...call,
        ...span("2031-01-06T09:00"),
        recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20310120T080000Z"],
      },
    );
    expect(prepared.event["recurrence"]).toEqual(["RRULE:FREQ=WEEKLY;UNTIL=20310120T090000Z"]);
    expect(preview).toContain("Dates: Mon 13 Jan 2031, Mon 20 Jan 2031 (2 in all)");
  });

  it("X1 of a series of days that gets an hour ends on the same day", () => {
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
    expect(preview).toContain("Dates: Mon 6 Jan 2031, Mon 13 Jan 2031, Mon 20 Jan 2031 (3 in all)");
  });

  it("X1 of a series does not call off anew what was not, nor bring back what was added and called off", () => {
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
      "Dates: Mon 6 Jan 2031, Mon 13 Jan 2031, Mon 20 Jan 2031, Mon 27 Jan 2031 (4 in all)",
    );
    expect(preview).not.toContain("Lost with it");
  });

  it.each([
    "EXDATE;VALUE=DATE:20310113",
    "EXDATE;TZID=Nowhere/Else:20310113T090000",
    "RDATE;VALUE=PERIOD:20310113T080000Z/PT1H",
    "EXRULE:FREQ=MONTHLY",
  ])("X1 of a series does not reckon with what it does not understand: %s", (line) => {
    const unclear = { ...off, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4", line] };
    expect(prepare({ location: "There" }, unclear).preview).toContain(
      `\nRepeats: every week, 4 times, ${line}\nDates: not reckoned here`,
    );
    expect(prepare({ start: "2031-01-06T10:00" }, unclear).preview).toContain(`\n- ${line}\n`);
  });

  it("X1 of a series keeps what was called off when days become times, and in UTC", () => {
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
      "Repeats: every week on Monday, 5 times → every day, 2 times\nDates: Mon 5 May 2031, Tue 6 May 2031 (2 in all)",
    );
    expect(prepare({ recurrence: "FREQ=DAILY;COUNT=2" }).preview).toContain(
      "Repeats: not → every day, 2 times",
    );
  });

  const theirs = { ...call, organizer: { email: "jonas@lindqvist.example", displayName: "Jonas" } };
  it.each<[string, Record<string, unknown>, calendar_v3.Schema$Event, string]>([
    [
      "somebody else's event",
      { summary: "Mine" },
      theirs,
      "an event of Jonas, and only they can change it",
    ],
    ["a locked one", { summary: "Mine" }, { ...call, locked: true }, "only they can change it"],
    [
      "a rule for one occurrence",
      { recurrence: "FREQ=DAILY" },
      moved,
      "One occurrence has no rule of its own: change the series call",
    ],
    [
      "a guest who is not there",
      { removeGuests: ["nobody@x.example"] },
      call,
      "nobody@x.example is not among the guests: eva@x.example",
    ],
    ["a title that hides something", { summary: "Call\u200F" }, call, "The title"],
    ["a place that hides something", { location: "Here\u2060" }, call, "The place"],
    [
      "a day that gets an hour without an end",
      { start: "2031-05-05T09:00" },
      { ...call, start: { date: "2031-05-05" }, end: { date: "2031-05-06" } },
      "give an end",
    ],
    [
      "a start that the rule leaves out",
      { start: "2031-05-06T09:00" },
      weekly,
      "repeats on Monday, and that is a Tuesday",
    ],
    [
      "a start that the rule does not count out",
      { start: "2031-02-11T09:00" },
      {
        ...call,
        ...span("2031-02-10T09:00"),
        recurrence: ["RRULE:FREQ=MONTHLY;BYDAY=2MO;COUNT=3"],
      },
      "the first of its dates would be Mon 10 Mar 2031",
    ],
    [
      "a start on another day of the month",
      { start: "2031-02-20T09:00" },
      { ...call, ...span("2031-02-15T09:00"), recurrence: ["RRULE:FREQ=MONTHLY;BYMONTHDAY=15"] },
      "the first of its dates would be Sat 15 Mar 2031",
    ],
    [
      "a start for a rule that nobody understands",
      { start: "2031-05-06T09:00" },
      { ...call, recurrence: ["RRULE:FREQ=YEARLY;BYWEEKNO=19"] },
      "(RRULE:FREQ=YEARLY;BYWEEKNO=19), so nobody could tell",
    ],
    [
      "a start for two rules",
      { start: "2031-05-06T09:00" },
      { ...call, recurrence: ["RRULE:FREQ=WEEKLY", "RRULE:FREQ=MONTHLY"] },
      "Give the rule too",
    ],
    [
      "a start for single dates",
      { start: "2031-05-06T09:00" },
      { ...call, recurrence: ["RDATE:20310512T070000Z"] },
      "by single dates",
    ],
    [
      "days for a rule that ends at a time",
      { start: "2031-05-05" },
      { ...call, recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20310512T070000Z"] },
      "it ends at a time, and the event has days only",
    ],
    ["a zone alone", { timeZone: "Asia/Tokyo" }, call, "A time zone alone"],
    [
      "an offset in place of a zone",
      { start: "2031-05-06T09:00", timeZone: "+02:00" },
      call,
      "is not a time zone",
    ],
    ["nothing", {}, call, "Say what is to be changed"],
    [
      "what is so already",
      {
        summary: "Call",
        location: "Here",
        description: "",
        start: "2031-05-05T09:00",
        end: "2031-05-05T10:00",
        addGuests: ["Eva <EVA@x.example>"],
      },
      call,
      "nothing of this would be different",
    ],
    [
      "the rule that it has",
      { recurrence: "freq=weekly;byday=mo;count=5" },
      weekly,
      "nothing of this would be different",
    ],
  ])("RT13 refuses %s in words, before anybody is asked", (_, wish, event, words) => {
    expect(() => prepare(wish, event)).toThrow(words);
  });

  it("RT9 changes somebody else's event if guests may", () => {
    expect(
      prepare({ location: "There" }, { ...theirs, guestsCanModify: true }).prepared.event,
    ).toMatchObject({ location: "There" });
    // Whose event it is sees the change, and so do guests whom the list hides.
    const seenBy = prepare(
      { location: "There" },
      { ...theirs, guestsCanModify: true, guestsCanSeeOtherGuests: false },
    ).prepared.guests;
    expect(seenBy).toEqual(
      expect.arrayContaining([theirs.organizer.email, "guests whom the list does not show"]),
    );
  });

  it("RT9 makes a day of a time, and of a day a time with an end", () => {
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
