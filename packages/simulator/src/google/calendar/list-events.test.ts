import { omitUndefined } from "@bron/protocol";
import { describe, expect, test } from "vitest";
import type { calendar_v3 } from "@googleapis/calendar";
import {
  anchor,
  calendarOf,
  jonas,
  mara,
  meeting,
  primary,
  refusalOf,
  withCalendar,
} from "./calendar-client.fixture.ts";

type ListOptions = Partial<calendar_v3.Params$Resource$Events$List>;

const far = {
  timeMin: "2031-01-01T00:00:00Z",
  timeMax: "2031-02-01T00:00:00Z",
  singleEvents: true,
} as const;
const at = (day: number, hour: number) => ({
  dateTime: `2031-01-${String(day).padStart(2, "0")}T${String(hour).padStart(2, "0")}:00:00Z`,
});
const single = (id: string, day: number, change: calendar_v3.Schema$Event = {}) => ({
  id,
  summary: id,
  start: at(day, 9),
  end: at(day, 10),
  ...change,
});

/** Inserts events, then lists their ids. */
function withEvents(
  events: readonly calendar_v3.Schema$Event[],
  use: (
    list: (options?: ListOptions) => Promise<(string | null | undefined)[]>,
    client: calendar_v3.Calendar,
  ) => Promise<void>,
) {
  return withCalendar(async (client) => {
    for (const requestBody of events) await client.events.insert({ ...primary, requestBody });
    await use(
      async (options = {}) =>
        (
          (await client.events.list({ ...primary, ...far, timeZone: "UTC", ...options })).data
            .items ?? []
        )
          .filter(
            ({ summary }) =>
              summary !== "Stand-up" &&
              summary?.startsWith("1:1") !== true &&
              summary !== "Month-end close",
          )
          .map(({ id }) => id),
      client,
    );
  });
}

describe("a list", () => {
  test("contains events that overlap the window", () =>
    withEvents(
      [
        single("before1", 3, { start: at(3, 6), end: at(3, 8) }),
        single("touch1", 3),
        single("inside1", 3, { start: at(3, 10), end: at(3, 11) }),
        single("night1", 3, { start: at(3, 22), end: at(4, 3) }),
        single("after1", 4, { start: at(4, 12), end: at(4, 13) }),
      ],
      async (list) => {
        expect(
          await list({
            timeMin: "2031-01-03T10:00:00Z",
            timeMax: "2031-01-04T12:00:00Z",
            orderBy: "startTime",
          }),
        ).toEqual(["inside1", "night1"]);
        expect(
          await list({ timeMin: "2031-01-03T11:00:00+01:00", timeMax: "2031-01-03T10:00:01Z" }),
        ).toEqual(["inside1"]);
        expect(
          await list({ timeMin: "2031-01-04T02:00:00Z", timeMax: "2031-01-04T02:00:01Z" }),
        ).toEqual(["night1"]);
      },
    ));

  test("places days by the zone of the calendar", () =>
    withEvents(
      [single("allda1", 5, { start: { date: "2031-01-05" }, end: { date: "2031-01-06" } })],
      async (list) => {
        expect(
          await list({ timeMin: "2031-01-04T22:00:00Z", timeMax: "2031-01-04T23:00:00Z" }),
        ).toEqual([]);
        expect(
          await list({ timeMin: "2031-01-04T22:00:00Z", timeMax: "2031-01-04T23:00:01Z" }),
        ).toEqual(["allda1"]);
        expect(
          await list({ timeMin: "2031-01-05T23:00:00Z", timeMax: "2031-01-06T00:00:00Z" }),
        ).toEqual([]);
      },
    ));

  test("is sorted by start or by change", () => {
    let now = anchor;
    return withCalendar(
      async (client) => {
        const list = async (orderBy: string) =>
          (
            (await client.events.list({ ...primary, ...far, q: "sort", orderBy })).data.items ?? []
          ).map(({ id }) => id);
        for (const requestBody of [single("sort3", 9), single("sort1", 7), single("sort2", 8)])
          await client.events.insert({ ...primary, requestBody });
        now = new Date(anchor.getTime() + 1_000);
        await client.events.patch({
          ...primary,
          eventId: "sort1",
          requestBody: { location: "Elsewhere" },
        });
        expect(await list("startTime")).toEqual(["sort1", "sort2", "sort3"]);
        expect(await list("updated")).toEqual(["sort2", "sort3", "sort1"]);
      },
      { now: () => now },
    );
  });

  test("is paged without losing anything", () =>
    withEvents([single("page3", 9), single("page1", 7), single("page2", 8)], async (_, client) => {
      const seen: (string | null | undefined)[] = [];
      let pageToken: string | undefined;
      do {
        const { data }: { data: calendar_v3.Schema$Events } = await client.events.list({
          ...primary,
          ...far,
          orderBy: "startTime",
          maxResults: 2,
          q: "page",
          ...omitUndefined({ pageToken }),
        });
        expect(data.items?.length).toBeLessThanOrEqual(2);
        seen.push(...(data.items ?? []).map(({ id }) => id));
        pageToken = data.nextPageToken ?? undefined;
      } while (pageToken !== undefined);
      expect(seen).toEqual(["page1", "page2", "page3"]);
    }));

  test("searches all text fields, and properties by name and value", () =>
    withEvents(
      [
        single("finda1", 10, {
          summary: "Übergabe Café",
          extendedProperties: { private: { mark: "a=b", kind: "x" } },
        }),
        single("findb1", 11, {
          description: "about the CAFE chairs",
          attendees: [{ email: "paula@chairs.example", displayName: "Paula Stein" }],
          extendedProperties: { private: { mark: "other", kind: "x" }, shared: { mark: "a=b" } },
        }),
      ],
      async (list) => {
        expect(await list({ q: "cafe", orderBy: "startTime" })).toEqual(["finda1", "findb1"]);
        expect(await list({ q: "stein chairs" })).toEqual(["findb1"]);
        expect(await list({ q: "paula nobody" })).toEqual([]);
        expect(await list({ privateExtendedProperty: ["mark=a=b"] })).toEqual(["finda1"]);
        expect(await list({ privateExtendedProperty: ["mark=other", "kind=x"] })).toEqual([
          "findb1",
        ]);
        expect(await list({ privateExtendedProperty: ["mark=a=b", "kind=y"] })).toEqual([]);
        expect(await list({ sharedExtendedProperty: ["mark=a=b"] })).toEqual(["findb1"]);
        expect(await list({ eventTypes: ["default"], q: "cafe" })).toHaveLength(2);
        expect(await list({ eventTypes: ["focusTime"] })).toEqual([]);
      },
    ));

  test("by update time includes later deletions", () =>
    withEvents([single("changed1", 12)], async (list, client) => {
      await client.events.delete({ ...primary, eventId: "changed1" });
      expect(await list({ updatedMin: "2026-11-15T12:00:00Z" })).toEqual(["changed1"]);
      expect(await list({ updatedMin: "2026-11-15T12:00:01Z" })).toEqual([]);
    }));

  test("continues from a sync token with changes and deletions", () =>
    withCalendar(async (client) => {
      const first = (await client.events.list({ ...primary, maxResults: 2500 })).data;
      expect(first.nextSyncToken).toEqual(expect.any(String));
      await client.events.insert({ ...primary, requestBody: meeting({ id: "sinced1" }) });
      await client.events.insert({ ...primary, requestBody: meeting({ id: "sinced2" }) });
      await client.events.delete({ ...primary, eventId: "sinced1" });
      const next = (await client.events.list({ ...primary, syncToken: first.nextSyncToken ?? "" }))
        .data;
      expect(next.items?.map(({ id, status }) => [id, status])).toEqual([
        ["sinced1", "cancelled"],
        ["sinced2", "confirmed"],
      ]);
      expect(
        (await client.events.list({ ...primary, syncToken: next.nextSyncToken ?? "" })).data.items,
      ).toEqual([]);
      expect(
        await refusalOf(client.events.list({ ...primary, syncToken: "c3luYzo5OTk5OTk6eA" })),
      ).toMatchObject({ status: 410, reason: "fullSyncRequired" });
      expect(
        await refusalOf(
          client.events.list({ ...primary, syncToken: next.nextSyncToken ?? "", q: "x" }),
        ),
      ).toMatchObject({ status: 400 });
    }));

  test.each<[string, ListOptions, string]>([
    [
      "a window that is empty",
      { timeMin: "2031-01-02T00:00:00Z", timeMax: "2031-01-02T00:00:00Z" },
      "timeRangeEmpty",
    ],
    ["a bound without an offset", { timeMin: "2031-01-02T00:00:00" }, "invalidParameter"],
    [
      "the order of starts without expansion",
      { orderBy: "startTime", singleEvents: false },
      "badRequest",
    ],
    ["another order", { orderBy: "summary" }, "invalidParameter"],
    ["a page of nothing", { maxResults: 0 }, "invalidParameter"],
    ["a zone that is none", { timeZone: "Mars/Olympus" }, "invalidParameter"],
    ["a property without a value", { privateExtendedProperty: ["mark"] }, "invalidParameter"],
  ])("refuses %s", (_, options, reason) =>
    withCalendar(async (client) =>
      expect(await refusalOf(client.events.list({ ...primary, ...options }))).toMatchObject({
        status: 400,
        reason,
      }),
    ),
  );
});

describe("calendars", () => {
  test("are the own one, the team's and the holidays", () =>
    withCalendar(async (client) => {
      const { items } = (await client.calendarList.list()).data;
      expect(
        items?.map(({ summary, accessRole, primary: isPrimary, timeZone }) => [
          summary,
          accessRole,
          isPrimary,
          timeZone,
        ]),
      ).toEqual([
        [mara, "owner", true, "Europe/Berlin"],
        ["Lindqvist Cargo", "owner", undefined, "Europe/Berlin"],
        ["Feiertage in Deutschland", "reader", undefined, "Europe/Berlin"],
      ]);
      expect((await client.calendarList.list({ minAccessRole: "writer" })).data.items).toHaveLength(
        2,
      );
      expect((await client.calendarList.get(primary)).data.id).toBe(mara);
      expect((await client.calendars.get({ calendarId: items?.[2]?.id ?? "" })).data).toMatchObject(
        { summary: "Feiertage in Deutschland" },
      );
      expect((await client.settings.get({ setting: "timezone" })).data.value).toBe("Europe/Berlin");
      expect((await client.settings.list()).data.items).toContainEqual(
        expect.objectContaining({ id: "timezone", value: "Europe/Berlin" }),
      );
      expect(await refusalOf(client.settings.get({ setting: "mood" }))).toMatchObject({
        status: 404,
      });
    }));

  test("of colleagues show busy times without details", () =>
    withCalendar(async (client, simulator) => {
      const jonasClient = await calendarOf(simulator, { account: jonas });
      await jonasClient.events.insert({
        ...primary,
        requestBody: meeting({ id: "secret1", summary: "Secret" }),
      });
      const { data } = await client.events.get({ calendarId: jonas, eventId: "secret1" });
      expect(data).toMatchObject({
        visibility: "private",
        start: { dateTime: "2027-01-12T09:00:00+01:00" },
      });
      expect(JSON.stringify(data)).not.toContain("Secret");
    }));
});

describe("free and busy", () => {
  const query = (
    client: calendar_v3.Calendar,
    ids: readonly string[],
    change: calendar_v3.Schema$FreeBusyRequest = {},
  ) =>
    client.freebusy.query({
      requestBody: {
        timeMin: "2031-01-13T00:00:00Z",
        timeMax: "2031-01-14T00:00:00Z",
        items: ids.map((id) => ({ id })),
        ...change,
      },
    });

  test("merges overlaps, clips to the window, and omits free, declined and deleted events", () =>
    withCalendar(async (client, simulator) => {
      const events: calendar_v3.Schema$Event[] = [
        { id: "bus0a", start: at(13, 13), end: at(13, 14) },
        { id: "bus0b", start: at(13, 13), end: { dateTime: "2031-01-13T14:30:00Z" } },
        { id: "night2", start: at(13, 22), end: at(14, 2) },
        { id: "free1", start: at(13, 16), end: at(13, 17), transparency: "transparent" },
        { id: "off1aa", start: at(13, 18), end: at(13, 19) },
        {
          id: "declined1",
          start: at(13, 20),
          end: at(13, 21),
          attendees: [{ email: mara, responseStatus: "declined" }],
        },
      ];
      for (const requestBody of events) await client.events.insert({ ...primary, requestBody });
      await client.events.delete({ ...primary, eventId: "off1aa" });
      const { data } = await query(await calendarOf(simulator, { account: jonas }), [
        mara,
        "nobody@outside.example",
      ]);
      const standUps = data.calendars?.[mara]?.busy?.filter(
        ({ start }) => (start ?? "") < "2031-01-13T12:00:00Z",
      );
      expect(standUps).toEqual([{ start: "2031-01-13T08:15:00Z", end: "2031-01-13T08:30:00Z" }]);
      expect(data.calendars?.[mara]?.busy?.slice(1)).toEqual([
        { start: "2031-01-13T13:00:00Z", end: "2031-01-13T14:30:00Z" },
        { start: "2031-01-13T22:00:00Z", end: "2031-01-14T00:00:00Z" },
      ]);
      expect(data.calendars?.["nobody@outside.example"]).toEqual({
        errors: [{ domain: "global", reason: "notFound" }],
        busy: [],
      });
      const zoned = (await query(client, ["primary"], { timeZone: "Europe/Berlin" })).data.calendars
        ?.primary?.busy;
      expect(zoned?.[1]?.start).toBe("2031-01-13T14:00:00+01:00");
    }));

  test.each<[string, calendar_v3.Schema$FreeBusyRequest, string]>([
    ["no beginning", { timeMin: null }, "invalid"],
    ["a window that is empty", { timeMax: "2031-01-13T00:00:00Z" }, "timeRangeEmpty"],
    ["a year", { timeMax: "2032-01-13T00:00:00Z" }, "timeRangeTooLong"],
    ["a bound without an offset", { timeMin: "2031-01-13T00:00:00" }, "badRequest"],
  ])("refuses %s", (_, change, reason) =>
    withCalendar(async (client) =>
      expect(await refusalOf(query(client, ["primary"], change))).toMatchObject({
        status: 400,
        reason,
      }),
    ),
  );
});
