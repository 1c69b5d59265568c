import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { createCalendars } from "./calendars.ts";
import { epochOf, epochToWall, wallToEpoch } from "./event-time.ts";
import { findEvent, instancesOf, overlaps } from "./instances.ts";
import { parseRecurrence } from "./recurrence.ts";
import type { StoredEvent } from "./stored-event.ts";

const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "Asia/Kolkata",
  "UTC",
];
const zone = fc.constantFrom(...zones);
const wallTime = fc
  .record({
    days: fc.integer({ min: 0, max: 1_500 }),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.constantFrom(0, 15, 30, 45),
  })
  .map(({ days, hour, minute }) =>
    Temporal.PlainDateTime.from({ year: 2026, month: 1, day: 1, hour, minute }).add({ days }),
  );
const rule = fc
  .record({
    freq: fc.constantFrom("DAILY", "WEEKLY", "MONTHLY"),
    interval: fc.integer({ min: 1, max: 4 }),
    count: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ freq, interval, count }) => `RRULE:FREQ=${freq};INTERVAL=${interval};COUNT=${count}`);

function seriesAt(
  wall: Temporal.PlainDateTime,
  timeZone: string,
  { minutes, recurrence }: { readonly minutes: number; readonly recurrence: readonly string[] },
): StoredEvent {
  const at = wallToEpoch(wall, timeZone);
  const person = { email: "mara@lindqvist.example" };
  return {
    id: "series1",
    iCalUID: "series1@google.com",
    status: "confirmed",
    sequence: 0,
    created: 0,
    updated: 0,
    version: 1,
    creator: person,
    organizer: person,
    reminders: { useDefault: true },
    start: { at, timeZone },
    end: { at: at + minutes * 60_000, timeZone },
    recurrence,
  };
}

function bookOf(series: StoredEvent, timeZone: string) {
  const facts = {
    id: "mara@lindqvist.example",
    summary: "",
    timeZone,
    colorId: "1",
    backgroundColor: "",
    members: {},
  };
  const calendar = createCalendars([{ facts, events: [series] }]).all()[0];
  if (!calendar) throw new Error("No calendar.");
  return calendar;
}

describe("a series", () => {
  test("keeps its local hour across clock changes unless it is skipped", () =>
    fc.assert(
      fc.property(wallTime, zone, fc.integer({ min: 1, max: 3 }), (first, timeZone, interval) => {
        // Times that start in a gap have already been moved.
        fc.pre(epochToWall(wallToEpoch(first, timeZone), timeZone).equals(first));
        const recurrence = parseRecurrence(
          [`RRULE:FREQ=WEEKLY;INTERVAL=${interval};COUNT=30`],
          { at: wallToEpoch(first, timeZone), timeZone },
          timeZone,
        );
        const starts = recurrence?.starts({ from: -Infinity, to: Infinity }) ?? [];
        expect(starts).toHaveLength(30);
        for (const [index, start] of starts.entries()) {
          const wanted = first.add({ weeks: index * interval });
          const seen = epochToWall(epochOf(start, timeZone), timeZone);
          const isSkipped =
            wanted.toZonedDateTime(timeZone, { disambiguation: "earlier" }).epochMilliseconds !==
              wanted.toZonedDateTime(timeZone, { disambiguation: "later" }).epochMilliseconds &&
            !seen.equals(wanted);
          if (!isSkipped) expect(seen.toString()).toBe(wanted.toString());
        }
      }),
      { numRuns: sampleCount(150) },
    ));

  test("shows in a window exactly those instances that overlap it", () =>
    fc.assert(
      fc.property(
        wallTime,
        zone,
        rule,
        fc.record({
          minutes: fc.constantFrom(0, 30, 600, 1_800, 4_320),
          offsetHours: fc.integer({ min: -200, max: 4_000 }),
          hours: fc.integer({ min: 1, max: 1_500 }),
        }),
        (first, timeZone, line, { minutes, offsetHours, hours }) => {
          const series = seriesAt(first, timeZone, { minutes, recurrence: [line] });
          const book = bookOf(series, "Europe/Berlin");
          const from = wallToEpoch(first, timeZone) + offsetHours * 3_600_000;
          const window = { from, to: from + hours * 3_600_000 };
          const all = instancesOf(book, series, { from: -Infinity, to: Infinity });
          expect(instancesOf(book, series, window).map(({ id }) => id)).toEqual(
            all.filter((instance) => overlaps(instance, window, book.timeZone)).map(({ id }) => id),
          );
        },
      ),
      { numRuns: sampleCount(150) },
    ));

  test("is found by the ids of its instances only", () =>
    fc.assert(
      fc.property(
        wallTime,
        zone,
        rule,
        fc.integer({ min: 1, max: 59 }),
        (first, timeZone, line, minutes) => {
          const series = seriesAt(first, timeZone, { minutes: 30, recurrence: [line] });
          const book = bookOf(series, "Europe/Berlin");
          for (const instance of instancesOf(book, series, { from: -Infinity, to: Infinity })) {
            expect(findEvent(book, instance.id)).toEqual(instance);
            const other = instance.id.replace(
              /(\d\d)00Z$/,
              (_, shown: string) => `${String((Number(shown) + minutes) % 60).padStart(2, "0")}00Z`,
            );
            expect(findEvent(book, other)).toBeUndefined();
          }
        },
      ),
      { numRuns: sampleCount(60) },
    ));
});
