import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";
import { dayOf, hasDay, keyOf, momentOn } from "./series-dates.ts";
import type { Series } from "./series-lines.ts";
import { momentInWords } from "./time-words.ts";

interface MovedDates {
  readonly off: readonly EventTime[];
  readonly extra: readonly EventTime[];
  /** Descriptions of the dates that cannot be kept. */
  readonly lost: readonly string[];
}

interface NewSchedule {
  readonly before: EventTime;
  readonly start: EventTime;
  /** The rule from now on. */
  readonly rule: string;
}

/**
 * Moves the exceptions of a series to its new start, keeping their days. EXDATE and RDATE name
 * exact moments, so after a new start they would match nothing and canceled occurrences would come
 * back.
 */
export function moveDates(
  { off, extra, unread }: Pick<Series, "off" | "extra" | "unread">,
  { before, start, rule }: NewSchedule,
): MovedDates {
  const isAtSeriesHour = (time: EventTime) => keyOf(time) === keyOf(momentOn(dayOf(time), before));
  // An EXDATE at another hour than the series' own cancels nothing, unless an RDATE added that
  // hour.
  const canceled = off.filter(isAtSeriesHour);
  const added = extra.filter((time) => !off.some((exception) => keyOf(exception) === keyOf(time)));
  const staysCanceled = (time: EventTime) => hasDay(rule, start, dayOf(time));
  const staysAdded = (time: EventTime) =>
    Temporal.PlainDate.compare(dayOf(time), dayOf(start)) >= 0 &&
    (isAtSeriesHour(time) || "date" in time === "date" in start);
  return {
    off: canceled.filter(staysCanceled).map((time) => momentOn(dayOf(time), start)),
    extra: added
      .filter(staysAdded)
      .map((time) => (isAtSeriesHour(time) ? momentOn(dayOf(time), start) : inZoneOf(start, time))),
    lost: [
      ...canceled
        .filter((time) => !staysCanceled(time))
        .map((time) => `${momentInWords(time)}: canceled`),
      ...added
        .filter((time) => !staysAdded(time))
        .map((time) => `${momentInWords(time)}: added individually`),
      ...unread,
    ],
  };
}

/** All times of one list are written in one zone. */
function inZoneOf(start: EventTime, time: EventTime): EventTime {
  if ("date" in start || "date" in time) return time;
  return {
    dateTime: Temporal.Instant.from(time.dateTime)
      .toZonedDateTimeISO(start.timeZone)
      .toString({ timeZoneName: "never" }),
    timeZone: start.timeZone,
  };
}
