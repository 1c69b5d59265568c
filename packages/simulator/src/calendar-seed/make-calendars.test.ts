import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { calendar_v3 } from "@googleapis/calendar";
import {
  calendarOf,
  mara,
  primary,
  withCalendar,
} from "../google/calendar/calendar-client.fixture.ts";
import { epochToWall } from "../google/calendar/event-time.ts";
import { findEvent } from "../google/calendar/instances.ts";
import { createCalendars } from "../google/calendar/calendars.ts";
import { germanHolidays } from "./german-holidays.ts";
import { makeCalendars } from "./make-calendars.ts";

const anchor = new Date("2026-11-15T12:00:00Z");
const fortnight = {
  timeMin: "2026-11-09T00:00:00+01:00",
  timeMax: "2026-12-05T00:00:00+01:00",
  singleEvents: true,
  orderBy: "startTime",
} as const;
const find = async (client: calendar_v3.Calendar, q: string) =>
  (await client.events.list({ ...primary, ...fortnight, q })).data.items ?? [];

describe("the seeded calendars", () => {
  test("are the same for the same seed and moment, and others for another seed", () => {
    expect(makeCalendars(5, anchor)).toEqual(makeCalendars(5, anchor));
    expect(makeCalendars(6, anchor)).not.toEqual(makeCalendars(5, anchor));
  });

  test("fill two busy weeks of the owner", () =>
    withCalendar(async (client) => {
      const { items = [] } = (await client.events.list({ ...primary, ...fortnight })).data;
      expect(items.length).toBeGreaterThan(40);
      const days = new Set(
        items.map(({ start }) => (start?.dateTime ?? start?.date ?? "").slice(0, 10)),
      );
      for (const day of ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"])
        expect(days).toContain(day);
    }));

  test("have a stand-up that is once later and once off, a private appointment, a fair of three days, a flight and a call elsewhere", () =>
    withCalendar(async (client) => {
      const standUps = await find(client, "stand-up");
      expect(
        standUps.find(
          ({ start, originalStartTime }) => start?.dateTime !== originalStartTime?.dateTime,
        ),
      ).toMatchObject({ start: { dateTime: "2026-11-18T10:15:00+01:00" } });
      expect(standUps.map(({ start }) => start?.dateTime?.slice(0, 10))).not.toContain(
        "2026-11-20",
      );
      expect(await find(client, "dentist")).toMatchObject([{ visibility: "private" }]);
      expect(await find(client, "fair Friedrichshafen")).toMatchObject([
        { start: { date: "2026-11-24" }, end: { date: "2026-11-27" } },
      ]);
      expect(await find(client, "flight")).toMatchObject([
        { start: { timeZone: "Europe/Berlin" }, end: { timeZone: "Europe/London" } },
      ]);
      expect(await find(client, "empire")).toMatchObject([
        { start: { dateTime: "2026-11-20T16:00:00+01:00", timeZone: "America/New_York" } },
      ]);
      expect(await find(client, "month-end")).toMatchObject([
        { start: { dateTime: "2026-11-27T16:00:00+01:00" } },
      ]);
      const [budget, paint] = [(await find(client, "budget"))[0], (await find(client, "paint"))[0]];
      expect((budget?.end?.dateTime ?? "") > (paint?.start?.dateTime ?? "z")).toBe(true);
    }));

  test("have invitations without a response, and a canceled one", () =>
    withCalendar(async (client) => {
      const waiting = (await client.events.list({ ...primary, ...fortnight })).data.items?.filter(
        ({ attendees }) =>
          attendees?.some(({ self, responseStatus }) => self && responseStatus === "needsAction"),
      );
      expect(waiting?.map(({ summary }) => summary)).toEqual([
        "Round table: cargo bikes in the old harbour",
        "Test ride day, Nordic Fleet",
      ]);
      expect(await find(client, "interview Frame")).toEqual([]);
    }));

  test("share the team's events, hide the private ones, and show holidays", () =>
    withCalendar(async (client, simulator) => {
      const lists = (await client.calendarList.list()).data.items ?? [];
      const team = await client.events.list({ calendarId: lists[1]?.id ?? "", ...fortnight });
      expect(team.data.items?.map(({ summary }) => summary)).toContain("Inventory, shelves A to D");
      const holidays = (
        await client.events.list({
          calendarId: lists[2]?.id ?? "",
          timeMin: "2026-12-01T00:00:00Z",
          timeMax: "2027-01-02T00:00:00Z",
          singleEvents: true,
          orderBy: "startTime",
        })
      ).data.items;
      expect(holidays?.map(({ summary, start }) => [summary, start?.date])).toEqual([
        ["Erster Weihnachtstag", "2026-12-25"],
        ["Zweiter Weihnachtstag", "2026-12-26"],
        ["Neujahr", "2027-01-01"],
      ]);
      const jonas = await calendarOf(simulator, { account: "jonas@lindqvist.example" });
      expect(
        JSON.stringify((await jonas.events.list({ calendarId: mara, ...fortnight })).data),
      ).not.toContain("Dentist");
      expect(
        (await jonas.events.list({ ...primary, ...fortnight, q: "wheel" })).data.items,
      ).toHaveLength(1);
    }));

  test("keep to working days, and every exception belongs to its series, on any day", () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2025-01-01"), max: new Date("2030-12-31"), noInvalidDate: true }),
        fc.integer({ min: 1, max: 1_000 }),
        (moment, seed) => {
          const calendars = createCalendars(makeCalendars(seed, moment));
          const book = calendars.find(mara);
          const holidays = new Set(
            [-1, 0, 1]
              .flatMap((years) => germanHolidays(moment.getUTCFullYear() + years))
              .map(({ date }) => date.toString()),
          );
          for (const event of book?.events() ?? []) {
            expect(event.id).toMatch(/^[a-v0-9]{26}(_\d{8}T\d{6}Z)?$/);
            if (event.recurringEventId !== undefined) {
              const withoutException = book && {
                ...book,
                event: (id: string) => (id === event.id ? undefined : book.event(id)),
              };
              expect(withoutException && findEvent(withoutException, event.id)).toBeDefined();
            }
            if (event.recurrence !== undefined || "date" in event.start || "date" in event.end)
              continue;
            const day = epochToWall(event.start.at, event.start.timeZone).toPlainDate();
            expect(day.dayOfWeek).toBeLessThanOrEqual(5);
            expect(holidays).not.toContain(day.toString());
          }
        },
      ),
      { numRuns: sampleCount(40) },
    ));
});
