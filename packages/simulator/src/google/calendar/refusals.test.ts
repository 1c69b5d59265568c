import { describe, expect, test } from "vitest";
import type { calendar_v3 } from "@googleapis/calendar";
import {
  calendarOf,
  fullScope,
  jonas,
  meeting,
  primary,
  refusalOf,
  withCalendar,
} from "./calendar-client.fixture.ts";
import { withSimulator } from "../google-client.fixture.ts";

const day = "2027-01-12";
const zoned = (time: string) => ({ dateTime: `${day}T${time}`, timeZone: "Europe/Berlin" });

describe("insert refuses", () => {
  test.each<[string, calendar_v3.Schema$Event, string, string]>([
    [
      "an end before the start",
      { start: zoned("10:00:00"), end: zoned("09:00:00") },
      "timeRangeEmpty",
      "The specified time range is empty.",
    ],
    ["a missing end", { start: zoned("10:00:00") }, "required", "Missing end time."],
    ["missing times", { summary: "No times" }, "required", "Missing end time."],
    ["a missing start", { end: zoned("10:00:00") }, "required", "Missing start time."],
    [
      "times without offset and zone",
      { start: { dateTime: `${day}T09:00:00` }, end: { dateTime: `${day}T10:00:00` } },
      "required",
      "Missing time zone definition for start time.",
    ],
    [
      "an end without offset and zone",
      { start: zoned("09:00:00"), end: { dateTime: `${day}T10:00:00` } },
      "required",
      "Missing time zone definition for end time.",
    ],
    [
      "a series without a zone",
      { ...meeting(), recurrence: ["RRULE:FREQ=DAILY"] },
      "required",
      "Missing time zone definition for start time.",
    ],
    [
      "a zone that is none",
      {
        start: { dateTime: `${day}T09:00:00`, timeZone: "Europe/Atlantis" },
        end: zoned("10:00:00"),
      },
      "invalid",
      "Invalid time zone definition for start time.",
    ],
    [
      "a day with an hour",
      { start: { date: day }, end: zoned("10:00:00") },
      "invalid",
      "Start and end times must either both be date or both be dateTime.",
    ],
    [
      "a day that is none",
      { start: { date: "2027-02-30" }, end: { date: "2027-03-01" } },
      "invalid",
      'Invalid value for: Invalid format: "2027-02-30" is malformed',
    ],
    [
      "an id with other letters",
      meeting({ id: "Meeting-1" }),
      "invalid",
      "Invalid resource id value.",
    ],
    ["an id that is short", meeting({ id: "abcd" }), "invalid", "Invalid resource id value."],
    [
      "a guest without an address",
      meeting({ attendees: [{ displayName: "Eva" }] }),
      "required",
      "Missing attendee email.",
    ],
    [
      "a guest whose address is none",
      meeting({ attendees: [{ email: "eva" }] }),
      "invalid",
      "Invalid attendee email.",
    ],
    ...[
      "FREQ=FOO",
      "FREQ=WEEKLY;BYDAY=XX",
      "FREQ=DAILY;COUNT=0",
      "COUNT=3",
      "FREQ=DAILY;NONSENSE=1",
      "FREQ=DAILY;COUNT=2;UNTIL=20270301T080000Z",
      "FREQ=HOURLY",
      "FREQ=MONTHLY;BYMONTHDAY=32",
      "FREQ=DAILY\r\nATTENDEE:mailto:eva@outside.example",
    ].map((rule): [string, calendar_v3.Schema$Event, string, string] => [
      `the rule ${rule}`,
      { start: zoned("09:00:00"), end: zoned("10:00:00"), recurrence: [`RRULE:${rule}`] },
      "invalid",
      "Invalid recurrence rule.",
    ]),
  ])("%s", (_, requestBody, reason, message) =>
    withCalendar(async (client) =>
      expect(await refusalOf(client.events.insert({ ...primary, requestBody }))).toEqual({
        status: 400,
        reason,
        message,
      }),
    ),
  );
});

describe("a refusal", () => {
  test("has Calendar's error body", () =>
    withCalendar(async (client) => {
      const failure: unknown = await client.events
        .insert({ ...primary, requestBody: { start: zoned("10:00:00"), end: zoned("09:00:00") } })
        .catch((error: { response?: { data: unknown } }) => error.response?.data);
      const message = "The specified time range is empty.";
      expect(failure).toEqual({
        error: {
          errors: [
            {
              domain: "calendar",
              reason: "timeRangeEmpty",
              message,
              locationType: "parameter",
              location: "timeMax",
            },
          ],
          code: 400,
          message,
        },
      });
    }));

  test("covers missing calendars and events", () =>
    withCalendar(async (client) => {
      const refusal = { status: 404, reason: "notFound", message: "Not Found" };
      expect(await refusalOf(client.events.list({ calendarId: "nobody@outside.example" }))).toEqual(
        refusal,
      );
      expect(
        await refusalOf(client.calendars.get({ calendarId: "nobody@outside.example" })),
      ).toEqual(refusal);
      expect(await refusalOf(client.events.get({ ...primary, eventId: "nothing1" }))).toEqual(
        refusal,
      );
      expect(
        await refusalOf(client.events.patch({ ...primary, eventId: "nothing1", requestBody: {} })),
      ).toEqual(refusal);
      expect(await refusalOf(client.events.delete({ ...primary, eventId: "nothing1" }))).toEqual(
        refusal,
      );
      expect(await refusalOf(client.calendarList.get({ calendarId: jonas }))).toEqual(refusal);
    }));

  test("keeps readers from writing", () =>
    withCalendar(async (client) => {
      const refusal = {
        status: 403,
        reason: "requiredAccessLevel",
        message: "You need to have writer access to this calendar.",
      };
      for (const calendarId of ["de.german#holiday@group.v.calendar.google.com", jonas])
        expect(
          await refusalOf(client.events.insert({ calendarId, requestBody: meeting() })),
        ).toEqual(refusal);
    }));

  test("names a parameter that the method does not have", () =>
    withCalendar(async (client) => {
      const misspelled = { timeMim: "2027-01-01T00:00:00Z" };
      const { status, message } = await refusalOf(
        client.events.list({ ...primary, ...misspelled }),
      );
      expect({ status, message }).toEqual({
        status: 400,
        message: expect.stringContaining('Unknown name "timeMim"'),
      });
    }));
});

describe("scopes", () => {
  const scope = (name: string) => (name === "calendar" ? fullScope : `${fullScope}.${name}`);
  const calls: Readonly<Record<string, (client: calendar_v3.Calendar) => Promise<unknown>>> = {
    calendarList: (client) => client.calendarList.list(),
    calendars: (client) => client.calendars.get(primary),
    list: (client) => client.events.list(primary),
    insert: (client) => client.events.insert({ ...primary, requestBody: meeting() }),
    freebusy: (client) =>
      client.freebusy.query({
        requestBody: {
          timeMin: "2027-01-01T00:00:00Z",
          timeMax: "2027-01-02T00:00:00Z",
          items: [],
        },
      }),
    settings: (client) => client.settings.get({ setting: "timezone" }),
  };
  test.each([
    ["calendar", ["calendarList", "calendars", "list", "insert", "freebusy", "settings"]],
    ["readonly", ["calendarList", "calendars", "list", "freebusy", "settings"]],
    ["events", ["list", "insert"]],
    ["events.readonly", ["list"]],
    ["freebusy", ["freebusy"]],
    ["calendarlist.readonly", ["calendarList"]],
    ["settings.readonly", ["settings"]],
  ])("%s allows %s and nothing else", (name, allowed) =>
    withSimulator({}, async (simulator) => {
      const client = await calendarOf(simulator, { scopes: [scope(name)] });
      const outcomes = await Promise.all(
        Object.entries(calls).map(
          async ([method, call]) =>
            [
              method,
              await call(client).then(
                () => "done",
                (error: { response?: { data: { error: { errors: { reason: string }[] } } } }) =>
                  error.response?.data.error.errors[0]?.reason,
              ),
            ] as const,
        ),
      );
      expect(Object.fromEntries(outcomes)).toEqual(
        Object.fromEntries(
          Object.keys(calls).map((method) => [
            method,
            allowed.includes(method) ? "done" : "insufficientPermissions",
          ]),
        ),
      );
    }),
  );
});
