import { Temporal } from "temporal-polyfill";
import { dayBefore, type EventTime } from "./event-time.ts";

/** For a person who decides: weekday, date and time with the zone, and in their own zone too if that is another one. */
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
  return isElsewhere ? `${words}; for you ${spanIn(ownZone, start.dateTime, end.dateTime)}` : words;
}

/** In its own zone, which is not named. */
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
  const isOneDay = from.toPlainDate().equals(to.toPlainDate());
  const until = isOneDay
    ? clockInWords(to)
    : `${dateInWords(to.toPlainDate().toString())}, ${clockInWords(to)}`;
  // Clocks that are set in between make it longer or shorter than they show.
  const offsets =
    from.offset === to.offset ? `UTC${from.offset}` : `UTC${from.offset} to UTC${to.offset}`;
  return `${dateInWords(from.toPlainDate().toString())}, ${clockInWords(from)} to ${until} (${zone}, ${offsets})`;
}

function offsetIn(zone: string, time: string): string {
  return Temporal.Instant.from(time).toZonedDateTimeISO(zone).offset;
}

export function clockInWords(moment: Temporal.ZonedDateTime): string {
  return moment.toPlainTime().toString({ smallestUnit: "minute" });
}

const dates = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

export function dateInWords(day: string): string {
  return dates.format(new Date(`${day.slice(0, 10)}T00:00:00Z`)).replace(",", "");
}

const weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** 1 is Monday. */
export function weekdayInWords(weekday: number): string {
  return weekdayNames[weekday - 1] ?? "";
}
