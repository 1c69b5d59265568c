import { BronError } from "@bron/core";
import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";
import { daysOf } from "./rule-days.ts";
import { parseRule, type Rule } from "./rule-parts.ts";
import { readUntil } from "./rule-until.ts";
import { readSeries, type Series } from "./series-lines.ts";
import { clockInWords, dateInWords, momentInWords, weekdayInWords } from "./time-words.ts";

const named = 4;
/** How many dates at another hour are named, wherever they occur. */
const maxShifted = 3;
/** Dates beyond this are not counted. */
const maxCounted = 1_000;

/**
 * Rejects a start that is not one of the rule's dates, because calendars disagree on what that
 * means. Throws invalid_arguments.
 */
export function checkStart(text: string, start: EventTime): void {
  const refuse = (why: string): never => {
    throw new BronError(
      "invalid_arguments",
      `recurrence: ${text} does not fit a series that starts on ${momentInWords(start)}: ${why}.`,
    );
  };
  const rule = parseRule(text) ?? refuse("its parts are ambiguous together");
  if (rule.until !== undefined && "date" in start && rule.until.includes("T"))
    refuse("it ends at a time, but this is an all-day event");
  const first = dayOf(start);
  const { value: day } = daysOf(rule, first).next();
  if (!day) return refuse("it has no dates");
  if (!day.equals(first))
    refuse(
      rule.frequency === "WEEKLY" && rule.days
        ? `it repeats on ${rule.days.map(({ weekday }) => weekdayInWords(weekday)).join(" and ")}, but the series starts on a ${weekdayInWords(first.dayOfWeek)}`
        : `its first date would be ${dateInWords(day.toString())}`,
    );
  if (ruleDays(rule, start).next().done === true) refuse("it would end before it starts");
}

/** Whether the rule alone includes this day. Returns false for unsupported rules. */
export function hasDay(text: string, start: EventTime, wanted: Temporal.PlainDate): boolean {
  const rule = parseRule(text);
  if (!rule) return false;
  for (const day of ruleDays(rule, start))
    if (Temporal.PlainDate.compare(day, wanted) >= 0) return day.equals(wanted);
  return false;
}

/**
 * Lists the first dates, dates at another hour and the last one, so that the owner need not compute
 * them. If the series has started by `today`, lists the coming dates.
 */
export function datesLine(lines: readonly string[], start: EventTime, today?: string): string {
  const first = dayOf(start);
  const from =
    today !== undefined && today > first.toString() ? Temporal.PlainDate.from(today) : undefined;
  const found = datesOf(readSeries(lines, start), start, from ?? first);
  if (!found) return "Dates: not shown, because the rule is unusual";
  const { dates, isAll } = found;
  if (dates.length === 0) return "Dates: none left";
  const shifted = dates
    .flatMap((date, index) => (hourOf(date, start) === "" ? [] : [index]))
    .slice(0, maxShifted);
  const shown = [
    ...new Set([...dates.keys()].slice(0, named).concat(shifted, isAll ? [dates.length - 1] : [])),
  ].toSorted((a, b) => a - b);
  const words = shown.map(
    (index, place) =>
      `${place === 0 ? "" : shown[place - 1] === index - 1 ? "; " : " … "}${dateWords(dates[index], start)}`,
  );
  return `${from ? "Next dates" : "Dates"}: ${words.join("")}${isAll ? ` (${dates.length} ${from ? "left" : "total"})` : "; and so on"}`;
}

function dateWords(date: SeriesDate | undefined, start: EventTime): string {
  return date ? `${dateInWords(date.day.toString())}${hourOf(date, start)}` : "";
}

/** Empty if the date starts at the same hour as the first one. */
function hourOf({ at, isExtra }: SeriesDate, start: EventTime): string {
  if (!at || "date" in start || at.toPlainTime().equals(inOwnZone(start).toPlainTime())) return "";
  return ` at ${clockInWords(at)}${isExtra ? "" : " (clocks go forward)"}`;
}

interface SeriesDate {
  readonly day: Temporal.PlainDate;
  /** Undefined for all-day dates. */
  readonly at: Temporal.ZonedDateTime | undefined;
  readonly isExtra: boolean;
}

/** Undefined if the series is too complex to be certain. */
function datesOf(
  series: Series,
  start: EventTime,
  from: Temporal.PlainDate,
): { readonly dates: SeriesDate[]; readonly isAll: boolean } | undefined {
  const rule = series.rule === undefined ? undefined : parseRule(series.rule);
  if (
    !rule ||
    series.unread.length > 0 ||
    (rule.until !== undefined && !readUntil(rule.until, start))
  )
    return undefined;
  const usedKeys = new Set(series.off.map(keyOf));
  const dates: SeriesDate[] = [];
  const add = (day: Temporal.PlainDate, time: EventTime, isExtra: boolean) => {
    if (usedKeys.has(keyOf(time)) || Temporal.PlainDate.compare(day, from) < 0) return;
    usedKeys.add(keyOf(time));
    dates.push({ day, at: "date" in time ? undefined : inOwnZone(time), isExtra });
  };
  let isAll = rule.count !== undefined || rule.until !== undefined;
  for (const day of ruleDays(rule, start)) {
    if (dates.length === maxCounted) {
      isAll = false;
      break;
    }
    add(day, momentOn(day, start), false);
  }
  for (const time of series.extra) add(dayOf(time), time, true);
  return {
    dates: dates.toSorted((a, b) => Temporal.PlainDate.compare(a.day, b.day)),
    isAll,
  };
}

function* ruleDays(rule: Rule, start: EventTime): Generator<Temporal.PlainDate> {
  const until = rule.until === undefined ? undefined : readUntil(rule.until, start);
  let count = 0;
  for (const day of daysOf(rule, dayOf(start))) {
    if (count === rule.count || (until && isAfter(day, start, until))) return;
    count += 1;
    yield day;
  }
}

/** The day in the time's own zone. */
export function dayOf(time: EventTime): Temporal.PlainDate {
  return "date" in time ? Temporal.PlainDate.from(time.date) : inOwnZone(time).toPlainDate();
}

/**
 * Every occurrence starts at the hour of the first one in its zone. If the clocks skip that time,
 * it starts an hour later.
 */
export function momentOn(day: Temporal.PlainDate, start: EventTime): EventTime {
  if ("date" in start) return { date: day.toString() };
  const at = day.toZonedDateTime({
    timeZone: start.timeZone,
    plainTime: inOwnZone(start).toPlainTime(),
  });
  return { dateTime: at.toString({ timeZoneName: "never" }), timeZone: start.timeZone };
}

function isAfter(day: Temporal.PlainDate, start: EventTime, until: EventTime): boolean {
  const order = Temporal.PlainDate.compare(day, dayOf(until));
  if (order !== 0 || "date" in start || "date" in until) return order > 0;
  return keyOf(momentOn(day, start)) > keyOf(until);
}

/** Sortable key that is equal for the same day or moment in any notation. */
export function keyOf(time: EventTime): string | number {
  return "date" in time ? time.date : Temporal.Instant.from(time.dateTime).epochMilliseconds;
}

function inOwnZone({
  dateTime,
  timeZone,
}: {
  readonly dateTime: string;
  readonly timeZone: string;
}): Temporal.ZonedDateTime {
  return Temporal.Instant.from(dateTime).toZonedDateTimeISO(timeZone);
}
