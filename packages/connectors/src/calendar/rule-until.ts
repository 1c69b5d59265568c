import { Temporal } from "temporal-polyfill";
import { isPlausibleYear, type EventTime } from "./event-time.ts";

/** The last moment or day that still counts. Undefined for an invalid date. */
export function readUntil(text: string, start: EventTime): EventTime | undefined {
  const [, date = "", time, utc] = /^(\d{8})(?:T(\d{6})(Z)?)?$/.exec(text) ?? [];
  try {
    const day = Temporal.PlainDate.from(date, { overflow: "reject" });
    if (!isPlausibleYear(day)) return undefined;
    if ("date" in start) return { date: day.toString() };
    const zone = start.timeZone;
    // A day counts up to its last second.
    const last =
      time === undefined
        ? day.add({ days: 1 }).toZonedDateTime(zone).subtract({ seconds: 1 })
        : Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" }).toZonedDateTime(
            utc === undefined ? zone : "UTC",
          );
    return {
      dateTime: last.withTimeZone(zone).toString({ timeZoneName: "never", smallestUnit: "second" }),
      timeZone: zone,
    };
  } catch {
    return undefined;
  }
}

/** Formats UNTIL as RFC 5545 requires: in UTC if the event has a time. */
export function writeUntil(until: EventTime): string {
  if ("date" in until) return until.date.replaceAll("-", "");
  return Temporal.Instant.from(until.dateTime)
    .toString({ smallestUnit: "second" })
    .replaceAll(/[-:]/g, "");
}
