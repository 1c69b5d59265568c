import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";
import { dayOf, hasDay, keyOf, momentOn } from "./series-dates.ts";
import type { Series } from "./series-lines.ts";
import { momentInWords } from "./time-words.ts";

interface Carried {
  readonly off: readonly EventTime[];
  readonly extra: readonly EventTime[];
  /** What cannot be kept, in words. */
  readonly lost: readonly string[];
}

interface Moved {
  readonly before: EventTime;
  readonly start: EventTime;
  /** By which it repeats from now on. */
  readonly rule: string;
}

/** Dates that were called off or added by themselves name their moment: with another start they would mean nothing, and who was off would be on again. Their days stay. */
export function carryDates(
  { off, extra, unread }: Pick<Series, "off" | "extra" | "unread">,
  { before, start, rule }: Moved,
): Carried {
  const follows = (time: EventTime) => keyOf(time) === keyOf(momentOn(dayOf(time), before));
  // At another hour than the series' own nothing was called off, unless it was added there.
  const called = off.filter(follows);
  const added = extra.filter((time) => !off.some((one) => keyOf(one) === keyOf(time)));
  const staysOff = (time: EventTime) => hasDay(rule, start, dayOf(time));
  const staysOn = (time: EventTime) =>
    Temporal.PlainDate.compare(dayOf(time), dayOf(start)) >= 0 &&
    (follows(time) || "date" in time === "date" in start);
  return {
    off: called.filter(staysOff).map((time) => momentOn(dayOf(time), start)),
    extra: added
      .filter(staysOn)
      .map((time) => (follows(time) ? momentOn(dayOf(time), start) : inZoneOf(start, time))),
    lost: [
      ...called
        .filter((time) => !staysOff(time))
        .map((time) => `${momentInWords(time)}: called off`),
      ...added
        .filter((time) => !staysOn(time))
        .map((time) => `${momentInWords(time)}: added by itself`),
      ...unread,
    ],
  };
}

/** All of one list are written in one zone. */
function inZoneOf(start: EventTime, time: EventTime): EventTime {
  if ("date" in start || "date" in time) return time;
  return {
    dateTime: Temporal.Instant.from(time.dateTime)
      .toZonedDateTimeISO(start.timeZone)
      .toString({ timeZoneName: "never" }),
    timeZone: start.timeZone,
  };
}
