import { BronError } from "@bron/core";
import { Temporal } from "temporal-polyfill";
import { timeWords } from "./event-input.ts";

/** A time as the calendar stores it: a day, or an instant with its zone. */
export type EventTime = { date: string } | { dateTime: string; timeZone: string };

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/i;
const localPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/;

/**
 * Reads local times in `zone`. Throws invalid_arguments for an invalid time, and for one that the
 * zone skips or has twice.
 */
export function readTime(what: string, text: string, zone: string): EventTime {
  checkZone(zone);
  const refuse = (): never => {
    throw new BronError(
      "invalid_arguments",
      `${what}: ${JSON.stringify(text)} is not a time. Use ${timeWords}.`,
    );
  };
  try {
    if (dayPattern.test(text))
      return { date: near(Temporal.PlainDate.from(text, { overflow: "reject" })).toString() };
    if (localPattern.test(text))
      return timed(
        inZone(what, near(Temporal.PlainDateTime.from(text, { overflow: "reject" })), zone),
      );
    return instantPattern.test(text)
      ? timed(near(Temporal.Instant.from(text).toZonedDateTimeISO(zone)))
      : refuse();
  } catch (error) {
    if (BronError.is(error)) throw error;
    return refuse();
  }
}

/** Plausible years. Not every calendar can read the notation of others. */
export function isPlausibleYear({ year }: { readonly year: number }): boolean {
  return year >= 1900 && year <= 2200;
}

function near<Time extends { readonly year: number }>(time: Time): Time {
  if (!isPlausibleYear(time))
    throw new BronError(
      "invalid_arguments",
      `The year ${time.year} is out of range. Use a year between 1900 and 2200.`,
    );
  return time;
}

export function checkZone(zone: string): void {
  if (!isZone(zone))
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(zone)} is not a time zone such as Europe/Berlin.`,
    );
}

/**
 * Accepts zone names only. An offset does not know when clocks change, and the calendar does not
 * accept it.
 */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/**
 * Rejects ambiguous times instead of guessing. An hour is missing when clocks go forward, and one
 * repeats when they go back.
 */
function inZone(what: string, local: Temporal.PlainDateTime, zone: string): Temporal.ZonedDateTime {
  const [earlier, later] = (["earlier", "later"] as const).map((disambiguation) =>
    local.toZonedDateTime(zone, { disambiguation }),
  );
  if (!earlier || !later || earlier.equals(later)) return local.toZonedDateTime(zone);
  const isSkipped = !later.toPlainDateTime().equals(local);
  throw new BronError(
    "invalid_arguments",
    isSkipped
      ? `${what}: ${local.toString()} does not exist in ${zone}, because clocks go forward then. Ask which time is meant, for example ${iso(later)}.`
      : `${what}: ${local.toString()} happens twice in ${zone}, because clocks go back then. Use ${iso(earlier)} or ${iso(later)}.`,
  );
}

function timed(moment: Temporal.ZonedDateTime): EventTime {
  return { dateTime: iso(moment), timeZone: moment.timeZoneId };
}

function iso(moment: Temporal.ZonedDateTime): string {
  return moment.toString({ timeZoneName: "never", smallestUnit: "second" });
}

/** Adds elapsed minutes. An hour across a clock change is still sixty minutes. */
export function after(time: EventTime, minutes: number): EventTime {
  if ("date" in time)
    return {
      date: Temporal.PlainDate.from(time.date)
        .add({ days: Math.max(1, Math.round(minutes / 1_440)) })
        .toString(),
    };
  return timed(
    Temporal.Instant.from(time.dateTime).add({ minutes }).toZonedDateTimeISO(time.timeZone),
  );
}

/** Returns minutes, also between two days. Undefined if one is a day and the other a time. */
export function minutesBetween(start: EventTime, end: EventTime): number | undefined {
  if ("date" in start && "date" in end)
    return Temporal.PlainDate.from(start.date).until(end.date).total("days") * 1_440;
  if ("dateTime" in start && "dateTime" in end)
    return Temporal.Instant.from(start.dateTime)
      .until(Temporal.Instant.from(end.dateTime))
      .total("minutes");
  return undefined;
}

/** Whether both are the same day, or the same moment in the same zone. */
export function isSameTime(one: EventTime, other: EventTime): boolean {
  return (
    minutesBetween(one, other) === 0 &&
    ("date" in one || "date" in other || one.timeZone === other.timeZone)
  );
}

/** The calendar stores the day after the last one as the end. */
export function dayAfter(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString();
}

export function dayBefore(day: string): string {
  return Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
}

/** Start of a day and of the next one in a zone. Clocks may change at midnight too. */
export function dayBounds(
  day: string,
  zone: string,
): { readonly from: string; readonly to: string } {
  const date = Temporal.PlainDate.from(day);
  return {
    from: iso(date.toZonedDateTime(zone)),
    to: iso(date.add({ days: 1 }).toZonedDateTime(zone)),
  };
}

export function dayIn(zone: string, epochMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
}

export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}
