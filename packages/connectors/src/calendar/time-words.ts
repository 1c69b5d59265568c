import { Temporal } from "temporal-polyfill";
import { dayBefore, type EventTime } from "./event-time.ts";

/**
 * Describes a time for the owner: weekday, date and time with the zone, and also in the owner's
 * zone if it differs.
 */
export function whenInWords(start: EventTime, end: EventTime, ownZone: string): string {
  if ("date" in start || "date" in end)
    return daysInWords(
      "date" in start ? start.date : start.dateTime,
      "date" in end ? dayBefore(end.date) : end.dateTime,
    );
  const zone = start.timeZone;
  const words = spanIn(zone, start.dateTime, end.dateTime);
  const isElsewhere = [start, end].some(
    ({ dateTime }) => offsetIn(zone, dateTime) !== offsetIn(ownZone, dateTime),
  );
  return isElsewhere
    ? `${words}; your time: ${spanIn(ownZone, start.dateTime, end.dateTime)}`
    : words;
}

/** Shown in its own zone, without naming the zone. */
export function momentInWords(time: EventTime): string {
  if ("date" in time) return dateInWords(time.date);
  const moment = Temporal.Instant.from(time.dateTime).toZonedDateTimeISO(time.timeZone);
  return `${dateInWords(moment.toPlainDate().toString())}, ${clockInWords(moment)}`;
}

function daysInWords(first: string, last: string): string {
  return first === last
    ? `${dateInWords(first)}, all day`
    : `${dateInWords(first)} to ${dateInWords(last)}, all day`;
}

function spanIn(zone: string, start: string, end: string): string {
  const [from, to] = [start, end].map((time) =>
    Temporal.Instant.from(time).toZonedDateTimeISO(zone),
  );
  if (!from || !to) return "";
  // If clocks change in between, the event is longer or shorter than the times suggest.
  const offsets =
    from.offset === to.offset ? `UTC${from.offset}` : `UTC${from.offset} to UTC${to.offset}`;
  return `${rangeInWords(from, to)} (${zone}, ${offsets})`;
}

/** "Mon, May 5, 2031, 9:00–10:30 AM", or with both dates if it ends on another day. */
function rangeInWords(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): string {
  const [first, last] = [from, to].map((moment) => dateInWords(moment.toPlainDate().toString()));
  if (first !== last) return `${first}, ${clockInWords(from)} to ${last}, ${clockInWords(to)}`;
  const isSameHalf = from.hour < 12 === to.hour < 12;
  const start = isSameHalf ? clockInWords(from).slice(0, -3) : clockInWords(from);
  return `${first}, ${start}–${clockInWords(to)}`;
}

function offsetIn(zone: string, time: string): string {
  return Temporal.Instant.from(time).toZonedDateTimeISO(zone).offset;
}

export function clockInWords({ hour, minute }: Temporal.ZonedDateTime): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}

const dates = new Intl.DateTimeFormat("en-US", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

export function dateInWords(day: string): string {
  return dates.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
}

const weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Day 1 is Monday. */
export function weekdayInWords(weekday: number): string {
  return weekdayNames[weekday - 1] ?? "";
}
