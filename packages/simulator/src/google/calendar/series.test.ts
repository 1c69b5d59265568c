import { describe, expect, test } from "vitest";
import type { calendar_v3 } from "@googleapis/calendar";
import { primary, refusalOf, withCalendar } from "./calendar-client.fixture.ts";

const berlin = (dateTime: string) => ({ dateTime, timeZone: "Europe/Berlin" });
/** Tuesdays at nine, across the end of summer time on October 25, 2026. */
const weekly: calendar_v3.Schema$Event = {
  id: "series1",
  summary: "Series",
  start: berlin("2026-10-13T09:00:00"),
  end: berlin("2026-10-13T10:00:00"),
  recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4"],
};
const ids = [
  "series1_20261013T070000Z",
  "series1_20261020T070000Z",
  "series1_20261027T080000Z",
  "series1_20261103T080000Z",
];

async function startsOf(
  client: calendar_v3.Calendar,
  eventId = "series1",
  options: Partial<calendar_v3.Params$Resource$Events$Instances> = {},
) {
  const { items = [] } = (await client.events.instances({ ...primary, eventId, ...options })).data;
  return items.map(({ start }) => start?.dateTime ?? start?.date);
}

describe("a series", () => {
  test("keeps its hour when clocks change and names instances by start time", () =>
    withCalendar(async (client) => {
      await client.events.insert({ ...primary, requestBody: weekly });
      const { items = [] } = (await client.events.instances({ ...primary, eventId: "series1" }))
        .data;
      expect(items.map(({ id }) => id)).toEqual(ids);
      expect(items.map(({ start }) => start?.dateTime)).toEqual([
        "2026-10-13T09:00:00+02:00",
        "2026-10-20T09:00:00+02:00",
        "2026-10-27T09:00:00+01:00",
        "2026-11-03T09:00:00+01:00",
      ]);
      expect(items[2]).toMatchObject({
        recurringEventId: "series1",
        originalStartTime: berlin("2026-10-27T09:00:00+01:00"),
        end: berlin("2026-10-27T10:00:00+01:00"),
        iCalUID: "series1@google.com",
      });
      expect(items[2]).not.toHaveProperty("recurrence");
      expect((await client.events.get({ ...primary, eventId: ids[2] ?? "" })).data).toEqual(
        items[2],
      );
      expect(
        await refusalOf(client.events.get({ ...primary, eventId: "series1_20261027T070000Z" })),
      ).toMatchObject({ status: 404 });
      expect(
        await startsOf(client, "series1", { originalStart: "2026-10-27T09:00:00+01:00" }),
      ).toHaveLength(1);
    }));

  test("of another zone follows that zone's clock changes", () =>
    withCalendar(async (client) => {
      const newYork = (dateTime: string) => ({ dateTime, timeZone: "America/New_York" });
      await client.events.insert({
        ...primary,
        requestBody: {
          id: "series2",
          start: newYork("2026-10-20T09:00:00"),
          end: newYork("2026-10-20T10:00:00"),
          recurrence: ["RRULE:FREQ=WEEKLY;COUNT=3"],
        },
      });
      expect(await startsOf(client, "series2")).toEqual([
        "2026-10-20T15:00:00+02:00",
        "2026-10-27T14:00:00+01:00",
        "2026-11-03T15:00:00+01:00",
      ]);
    }));

  test("moves skipped times and uses the first of ambiguous times", () =>
    withCalendar(async (client) => {
      await client.events.insert({
        ...primary,
        requestBody: {
          id: "series3",
          start: berlin("2027-03-27T02:30:00"),
          end: berlin("2027-03-27T03:00:00"),
          recurrence: ["RRULE:FREQ=DAILY;COUNT=3"],
        },
      });
      expect(await startsOf(client, "series3")).toEqual([
        "2027-03-27T02:30:00+01:00",
        "2027-03-28T03:30:00+02:00",
        "2027-03-29T02:30:00+02:00",
      ]);
      await client.events.insert({
        ...primary,
        requestBody: {
          id: "series4",
          start: berlin("2026-10-24T02:30:00"),
          end: berlin("2026-10-24T03:00:00"),
          recurrence: ["RRULE:FREQ=DAILY;COUNT=3"],
        },
      });
      expect(await startsOf(client, "series4")).toEqual([
        "2026-10-24T02:30:00+02:00",
        "2026-10-25T02:30:00+02:00",
        "2026-10-26T02:30:00+01:00",
      ]);
    }));

  test("of days counts days, and EXDATE, RDATE and UNTIL are kept to", () =>
    withCalendar(async (client) => {
      await client.events.insert({
        ...primary,
        requestBody: {
          id: "series5",
          start: { date: "2026-10-23" },
          end: { date: "2026-10-25" },
          recurrence: [
            "RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20261029",
            "EXDATE;VALUE=DATE:20261025",
            "RDATE;VALUE=DATE:20261101",
          ],
        },
      });
      expect(await startsOf(client, "series5")).toEqual([
        "2026-10-23",
        "2026-10-27",
        "2026-10-29",
        "2026-11-01",
      ]);
      expect(
        (await client.events.get({ ...primary, eventId: "series5_20261027" })).data.end,
      ).toEqual({ date: "2026-10-29" });
      await client.events.insert({
        ...primary,
        requestBody: {
          ...weekly,
          id: "series6",
          recurrence: [
            "RRULE:FREQ=WEEKLY;UNTIL=20261027T080000Z",
            "EXDATE;TZID=Europe/Berlin:20261020T090000",
          ],
        },
      });
      expect(await startsOf(client, "series6")).toEqual([
        "2026-10-13T09:00:00+02:00",
        "2026-10-27T09:00:00+01:00",
      ]);
    }));

  test("has EXDATE and RDATE for the moments that they name: with another hour they stay where they were", () =>
    withCalendar(async (client) => {
      const recurrence = [
        "RRULE:FREQ=WEEKLY;COUNT=2",
        "EXDATE;TZID=Europe/Berlin:20261020T090000",
        "RDATE;TZID=Europe/Berlin:20261016T090000",
      ];
      await client.events.insert({ ...primary, requestBody: { ...weekly, recurrence } });
      expect(await startsOf(client)).toEqual([
        "2026-10-13T09:00:00+02:00",
        "2026-10-16T09:00:00+02:00",
      ]);
      const moved = await client.events.patch({
        ...primary,
        eventId: "series1",
        requestBody: { start: berlin("2026-10-13T10:00:00"), end: berlin("2026-10-13T11:00:00") },
      });
      expect(moved.data.recurrence).toEqual(recurrence);
      expect(await startsOf(client)).toEqual([
        "2026-10-13T10:00:00+02:00",
        "2026-10-16T09:00:00+02:00",
        "2026-10-20T10:00:00+02:00",
      ]);
    }));

  test("has exceptions: one moved and one canceled instance", () =>
    withCalendar(async (client) => {
      await client.events.insert({ ...primary, requestBody: weekly });
      const moved = (
        await client.events.patch({
          ...primary,
          eventId: ids[1] ?? "",
          requestBody: {
            summary: "Later",
            start: { dateTime: "2026-10-21T15:00:00" },
            end: { dateTime: "2026-10-21T16:00:00" },
          },
        })
      ).data;
      expect(moved).toMatchObject({
        id: ids[1],
        recurringEventId: "series1",
        originalStartTime: berlin("2026-10-20T09:00:00+02:00"),
        start: berlin("2026-10-21T15:00:00+02:00"),
        summary: "Later",
      });
      await client.events.delete({ ...primary, eventId: ids[2] ?? "" });
      expect(await startsOf(client)).toEqual([
        "2026-10-13T09:00:00+02:00",
        "2026-10-21T15:00:00+02:00",
        "2026-11-03T09:00:00+01:00",
      ]);
      expect(await startsOf(client, "series1", { showDeleted: true })).toHaveLength(4);
      expect(
        await refusalOf(client.events.delete({ ...primary, eventId: ids[2] ?? "" })),
      ).toMatchObject({ status: 410 });

      const list = async (options: Partial<calendar_v3.Params$Resource$Events$List>) =>
        (await client.events.list({ ...primary, iCalUID: "series1@google.com", ...options })).data
          .items ?? [];
      expect(
        (await list({ singleEvents: true, orderBy: "startTime" })).map(({ id }) => id),
      ).toEqual([ids[0], ids[1], ids[3]]);
      expect(
        (
          await list({
            singleEvents: true,
            timeMin: "2026-10-21T00:00:00Z",
            timeMax: "2026-10-22T00:00:00Z",
          })
        ).map(({ id }) => id),
      ).toEqual([ids[1]]);
      const unexpanded = await client.events.list({
        ...primary,
        timeMin: "2026-10-13T00:00:00Z",
        timeMax: "2026-11-04T00:00:00Z",
      });
      const ofSeries = unexpanded.data.items?.filter(({ id }) => id?.startsWith("series1")) ?? [];
      expect(ofSeries.map(({ id, status }) => [id, status])).toEqual([
        ["series1", "confirmed"],
        [ids[1], "confirmed"],
        [ids[2], "cancelled"],
      ]);
      expect(Object.keys(ofSeries[2] ?? {}).sort()).toEqual([
        "etag",
        "id",
        "kind",
        "originalStartTime",
        "recurringEventId",
        "status",
      ]);
    }));

  test("deletes its instances with it, including moved ones", () =>
    withCalendar(async (client) => {
      await client.events.insert({ ...primary, requestBody: weekly });
      await client.events.patch({
        ...primary,
        eventId: ids[1] ?? "",
        requestBody: { summary: "Later" },
      });
      await client.events.delete({ ...primary, eventId: "series1" });
      expect(await startsOf(client)).toEqual([]);
      for (const eventId of ids)
        expect((await client.events.get({ ...primary, eventId })).data.status).toBe("cancelled");
      expect(
        (await client.events.list({ ...primary, iCalUID: "series1@google.com" })).data.items,
      ).toEqual([]);
    }));

  test("without an end is limited", () =>
    withCalendar(async (client) => {
      await client.events.insert({
        ...primary,
        requestBody: { ...weekly, recurrence: ["RRULE:FREQ=DAILY"] },
      });
      const count = async (options: Partial<calendar_v3.Params$Resource$Events$Instances>) =>
        (await startsOf(client, "series1", { maxResults: 2500, ...options })).length;
      expect(await count({})).toBe(730);
      expect(
        await count({ timeMin: "2040-01-01T00:00:00Z", timeMax: "2040-01-08T00:00:00Z" }),
      ).toBe(7);
    }));
});
