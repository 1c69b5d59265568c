import { BronError } from "@bron/core";
import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";
import { daysOf } from "./rule-days.ts";
import { understand, type Rule } from "./rule-parts.ts";
import { readUntil } from "./rule-until.ts";
import { readSeries, type Series } from "./series-lines.ts";
import { clockInWords, dateInWords, momentInWords, weekdayInWords } from "./time-words.ts";

const named = 4;
/** Of those at another hour, which are named wherever they are. */
const mostShifted = 3;
/** Further ones are not counted. */
const mostCounted = 1_000;

/** Refuses a start that is none of the rule's own dates: calendars do not agree on what that means. Throws invalid_arguments. */
export function checkStart(text: string, start: EventTime): void {
  const refuse = (why: string): never => {
    throw new BronError(
      "invalid_arguments",
      `recurrence: ${text} does not fit a series that begins on ${momentInWords(start)}: ${why}.`,
    );
  };
  const rule = understand(text) ?? refuse("its parts have no one meaning together");
  if (rule.until !== undefined && "date" in start && rule.until.includes("T"))
    refuse("it ends at a time, and the event has days only");
  const first = dayOf(start);
  const { value: day } = daysOf(rule, first).next();
  if (!day) return refuse("it has no date at all");
  if (!day.equals(first))
    refuse(
      rule.frequency === "WEEKLY" && rule.days
        ? `it repeats on ${rule.days.map(({ weekday }) => weekdayInWords(weekday)).join(" and ")}, and that is a ${weekdayInWords(first.dayOfWeek)}`
        : `the first of its dates would be ${dateInWords(day.toString())}`,
    );
  if (ruleDays(rule, start).next().done === true) refuse("it would end before it begins");
}

/** Whether the rule, by itself, has this day. Only of rules that are understood. */
export function hasDay(text: string, start: EventTime, wanted: Temporal.PlainDate): boolean {
  const rule = understand(text);
  if (!rule) return false;
  for (const day of ruleDays(rule, start))
    if (Temporal.PlainDate.compare(day, wanted) >= 0) return day.equals(wanted);
  return false;
}

/** The first dates, those at another hour and the last one, so that nobody has to reckon; of a series that has begun by `today` those that are to come. */
export function datesLine(lines: readonly string[], start: EventTime, today?: string): string {
  const first = dayOf(start);
  const from =
    today !== undefined && today > first.toString() ? Temporal.PlainDate.from(today) : undefined;
  const found = datesOf(readSeries(lines, start), start, from ?? first);
  if (!found) return "Dates: not reckoned here, because the rule is an unusual one";
  const { dates, isAll } = found;
  if (dates.length === 0) return "Dates: none is to come";
  const shifted = dates
    .flatMap((date, index) => (hourOf(date, start) === "" ? [] : [index]))
    .slice(0, mostShifted);
  const shown = [
    ...new Set([...dates.keys()].slice(0, named).concat(shifted, isAll ? [dates.length - 1] : [])),
  ].toSorted((one, other) => one - other);
  const words = shown.map(
    (index, place) =>
      `${place === 0 ? "" : shown[place - 1] === index - 1 ? ", " : " … "}${dateWords(dates[index], start)}`,
  );
  return `${from ? "Next dates" : "Dates"}: ${words.join("")}${isAll ? ` (${dates.length} ${from ? "to come" : "in all"})` : " and so on"}`;
}

function dateWords(date: SeriesDate | undefined, start: EventTime): string {
  return date ? `${dateInWords(date.day.toString())}${hourOf(date, start)}` : "";
}

/** Empty for those that begin at the hour of the first. */
function hourOf({ at, isExtra }: SeriesDate, start: EventTime): string {
  if (!at || "date" in start || at.toPlainTime().equals(inOwnZone(start).toPlainTime())) return "";
  return ` at ${clockInWords(at)}${isExtra ? "" : " (clocks are set forward)"}`;
}

interface SeriesDate {
  readonly day: Temporal.PlainDate;
  /** Unless it is a day. */
  readonly at: Temporal.ZonedDateTime | undefined;
  readonly isExtra: boolean;
}

/** Undefined where a series is not simple enough to be sure. */
function datesOf(
  series: Series,
  start: EventTime,
  from: Temporal.PlainDate,
): { readonly dates: SeriesDate[]; readonly isAll: boolean } | undefined {
  const rule = series.rule === undefined ? undefined : understand(series.rule);
  if (
    !rule ||
    series.unread.length > 0 ||
    (rule.until !== undefined && !readUntil(rule.until, start))
  )
    return undefined;
  const taken = new Set(series.off.map(keyOf));
  const dates: SeriesDate[] = [];
  const add = (day: Temporal.PlainDate, time: EventTime, isExtra: boolean) => {
    if (taken.has(keyOf(time)) || Temporal.PlainDate.compare(day, from) < 0) return;
    taken.add(keyOf(time));
    dates.push({ day, at: "date" in time ? undefined : inOwnZone(time), isExtra });
  };
  let isAll = rule.count !== undefined || rule.until !== undefined;
  for (const day of ruleDays(rule, start)) {
    if (dates.length === mostCounted) {
      isAll = false;
      break;
    }
    add(day, momentOn(day, start), false);
  }
  for (const time of series.extra) add(dayOf(time), time, true);
  return {
    dates: dates.toSorted((one, other) => Temporal.PlainDate.compare(one.day, other.day)),
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

/** In its own zone. */
export function dayOf(time: EventTime): Temporal.PlainDate {
  return "date" in time ? Temporal.PlainDate.from(time.date) : inOwnZone(time).toPlainDate();
}

/** Every occurrence begins at the hour of the first, on the clocks of its zone; a time that they skip is an hour later. */
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

/** The same for the same day or moment, however it is written; in order. */
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
