import { describe, expect, it } from "vitest";
import { readInProcess } from "../../fixtures/read-in-process.fixture.ts";
import { eventColumns, type EventColumn } from "./describe-event.ts";

const calendar = (...events: readonly string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:REQUEST", ...events, "END:VCALENDAR", ""].join("\r\n");
const event = (...lines: readonly string[]) =>
  ["BEGIN:VEVENT", "UID:1@a.example", ...lines, "END:VEVENT"].join("\r\n");

async function readEvent(
  ...lines: readonly string[]
): Promise<Partial<Record<EventColumn, string>>> {
  const { tables } = await readInProcess(calendar(event(...lines)));
  const [head = [], row = []] = tables[0]?.rows ?? [];
  return Object.fromEntries(
    head.map((name, index) => [name, row[index]]).filter(([, value]) => value !== ""),
  );
}

describe("a calendar", () => {
  it("returns each event as a row and as text", async () => {
    const bytes = calendar(
      event(
        "SUMMARY;LANGUAGE=de:Treffen\\, lang",
        "DTSTART:20240701T090000Z",
        "DTEND:20240701T100000Z",
        "LOCATION:Raum 1",
        "STATUS:CONFIRMED",
        'ORGANIZER;CN="Eva Beispiel":mailto:eva@a.example',
        "ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@b.example",
        "ATTENDEE:mailto:cy@c.example",
        "DESCRIPTION:Zeile 1\\nZeile",
        "  2",
      ),
      event("SUMMARY:Second", "DTSTART:20240702T090000Z"),
    );
    const document = await readInProcess(bytes);
    expect(document).toMatchObject({
      kind: "ics",
      warnings: [],
      tables: [{ name: "events", rows: [[...eventColumns], { length: 12 }, { length: 12 }] }],
    });
    expect(document.text).toContain(
      "Method: request\n\nSummary: Treffen, lang\nStart: 2024-07-01 09:00\nEnd: 2024-07-01 10:00\nTime zone: UTC\nStart (UTC): 2024-07-01 09:00\nEnd (UTC): 2024-07-01 10:00\nStatus: confirmed\nLocation: Raum 1\nOrganizer: Eva Beispiel <eva@a.example>\nAttendees: Bo <bo@b.example> (accepted), cy@c.example\nDescription: Zeile 1\nZeile 2\n\nSummary: Second\n",
    );
  });

  const zones: readonly (readonly [
    string,
    readonly string[],
    Partial<Record<EventColumn, string>>,
  ])[] = [
    [
      "a zone that the file does not define",
      ["DTSTART;TZID=Europe/Berlin:20240701T090000", "DTEND;TZID=Europe/Berlin:20240701T100000"],
      {
        Start: "2024-07-01 09:00",
        "Time zone": "Europe/Berlin",
        "Start (UTC)": "2024-07-01 07:00",
        "End (UTC)": "2024-07-01 08:00",
      },
    ],
    [
      "a zone as Windows names it",
      ["DTSTART;TZID=W. Europe Standard Time:20240115T090000", "DURATION:PT90M"],
      {
        Start: "2024-01-15 09:00",
        End: "2024-01-15 10:30",
        "Time zone": "Europe/Berlin",
        "Start (UTC)": "2024-01-15 08:00",
      },
    ],
    [
      "the change to summer time",
      ["DTSTART;TZID=Europe/Berlin:20240331T013000", "DTEND;TZID=Europe/Berlin:20240331T033000"],
      {
        Start: "2024-03-31 01:30",
        "Start (UTC)": "2024-03-31 00:30",
        End: "2024-03-31 03:30",
        "End (UTC)": "2024-03-31 01:30",
      },
    ],
    [
      "an hour that comes twice, of which the first is meant",
      [
        "DTSTART;TZID=America/New_York:20071104T013000",
        "DTEND;TZID=America/New_York:20071104T030000",
      ],
      {
        Start: "2007-11-04 01:30",
        "Start (UTC)": "2007-11-04 05:30",
        "End (UTC)": "2007-11-04 08:00",
      },
    ],
    [
      "an end by its length, over that hour",
      ["DTSTART;TZID=Europe/Berlin:20261025T023000", "DURATION:PT1H"],
      {
        Start: "2026-10-25 02:30",
        "Start (UTC)": "2026-10-25 00:30",
        End: "2026-10-25 02:30",
        "End (UTC)": "2026-10-25 01:30",
      },
    ],
    [
      "whole days",
      ["DTSTART;VALUE=DATE:20240701", "DTEND;VALUE=DATE:20240703"],
      { Start: "2024-07-01 (all day)", End: "2024-07-02 (all day)" },
    ],
    [
      "no zone at all",
      ["DTSTART:20240701T090000", "DTEND:20240701T100000"],
      { Start: "2024-07-01 09:00", End: "2024-07-01 10:00" },
    ],
  ];
  it.for(zones)("reads %s", async ([, lines, expected]) => {
    expect(await readEvent("SUMMARY:s", ...lines)).toMatchObject(expected);
  });

  it("leaves zone and UTC empty for days and floating times", async () => {
    for (const line of ["DTSTART;VALUE=DATE:20240701", "DTSTART:20240701T090000"])
      expect(
        Object.keys(await readEvent("SUMMARY:s", line)).filter((name) => /zone|UTC/.test(name)),
      ).toEqual([]);
  });

  const rules: readonly (readonly [string, string])[] = [
    [
      "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20241231T000000Z",
      "every 2 weeks on Monday and Wednesday, until 2024-12-31 01:00",
    ],
    ["RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=10", "every month on the last Friday, 10 times"],
    ["RRULE:FREQ=SECONDLY", "by the rule FREQ=SECONDLY"],
    ["RRULE:FREQ=MONTHLY;BYDAY=MO", "by the rule FREQ=MONTHLY;BYDAY=MO"],
    [
      "RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO",
      "by the rule FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO",
    ],
    ["RRULE:FREQ=DAILY;UNTIL=20240305", "every day, until 2024-03-05"],
    ["RRULE:FREQ=WEEKLY;WKST=SU;COUNT=1", "every week, once"],
    ["RRULE:FREQ=YEARLY;COUNT=0", "by the rule FREQ=YEARLY;COUNT=0"],
    [
      "RRULE:FREQ=DAILY\r\nRDATE;TZID=Europe/Berlin:20240401T100000,20240402T100000",
      "every day, and also on 2024-04-01 10:00, 2024-04-02 10:00",
    ],
    ["RDATE;VALUE=DATE:20240401", "also on 2024-04-01"],
    [
      "RRULE:FREQ=DAILY\r\nEXDATE;TZID=Europe/Berlin:20240302T090000",
      "every day, but not on 2024-03-02",
    ],
    [
      "RECURRENCE-ID;TZID=Europe/Berlin:20240308T090000",
      "replaces the occurrence of 2024-03-08 09:00",
    ],
  ];
  it.for(rules)("describes %j in words in any season", async ([line, words]) => {
    expect(
      await readEvent("SUMMARY:s", "DTSTART;TZID=Europe/Berlin:20240301T090000", line),
    ).toMatchObject({ Repeats: words });
  });

  it("reads a name with a semicolon in full", async () => {
    expect(
      await readEvent(
        "DTSTART:20240701T090000Z",
        'ATTENDEE;ROLE=CHAIR;CN="Mara; Boss";PARTSTAT=ACCEPTED:mailto:mara@a.example',
      ),
    ).toMatchObject({ Attendees: "Mara; Boss <mara@a.example> (accepted)" });
  });

  it("skips a broken event and keeps the others", async () => {
    const document = await readInProcess(
      calendar(
        event("SUMMARY:bad", "DTSTART:20240701T090000Z", "DTSTART:20240702T090000Z"),
        event("SUMMARY:good", "DTSTART:20240701T090000Z"),
      ),
    );
    expect(document.tables[0]?.rows.slice(1).map(([summary]) => summary)).toEqual(["good"]);
    expect(document.warnings).toEqual(["An event is damaged and could not be read."]);
  });

  it("warns about other entries and a missing end", async () => {
    const text = calendar(
      event("SUMMARY:s", "DTSTART:20240701T090000Z"),
      "BEGIN:VTODO\r\nSUMMARY:t\r\nEND:VTODO",
      event("SUMMARY:cut"),
    ).replace(/END:VEVENT\r\nEND:VCALENDAR\r\n$/, "");
    expect((await readInProcess(text)).warnings).toEqual([
      "The last event is incomplete and was left out.",
      "The calendar also contains 1 VTODO entry, which is not read.",
    ]);
  });

  it("with 100,000 events is cut off with a warning", async () => {
    const many = Array.from(
      { length: 100_000 },
      (_, index) =>
        `BEGIN:VEVENT\nUID:${index}\nDTSTART:20240701T090000Z\nSUMMARY:e${index}\nRRULE:FREQ=DAILY\nEND:VEVENT`,
    );
    const document = await readInProcess(calendar(...many));
    expect(document).toMatchObject({
      truncated: true,
      warnings: [expect.stringContaining("first 5,000 of 100,000 events")],
    });
    expect(document.tables[0]?.rows).toHaveLength(5_001);
  });
});
