import { Temporal } from "temporal-polyfill";
import { invalid, required } from "./calendar-error.ts";

/** A date, or a point in time with its time zone. */
export type EventTime =
  | { readonly date: string }
  | { readonly at: number; readonly timeZone: string };

/** The format of requests and responses. */
export interface WrittenTime {
  readonly date?: string | undefined;
  readonly dateTime?: string | undefined;
  readonly timeZone?: string | undefined;
}

const dateTimePattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/i;

/** Returns undefined for an unknown IANA zone. */
export function findTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

interface ReadTimeOptions {
  readonly which: "start" | "end";
  /** Used for a dateTime with an offset and no zone. */
  readonly calendarZone: string;
  /** Series follow the local time of a zone, so an offset is not enough. */
  readonly needsZone: boolean;
}

/** Throws Calendar's errors. */
export function readEventTime(
  time: WrittenTime | undefined,
  { which, calendarZone, needsZone }: ReadTimeOptions,
): EventTime {
  if (time?.date === undefined && time?.dateTime === undefined)
    throw required(`Missing ${which} time.`);
  if (time.date !== undefined && time.dateTime !== undefined)
    throw invalid(`Invalid ${which} time.`);
  if (time.date !== undefined) return { date: readDate(time.date) };
  const timeZone = time.timeZone === undefined ? undefined : findTimeZone(time.timeZone);
  if (time.timeZone !== undefined && timeZone === undefined)
    throw invalid(`Invalid time zone definition for ${which} time.`);
  const written = time.dateTime ?? "";
  const [, wall = "", offset] = dateTimePattern.exec(written) ?? [];
  if (timeZone === undefined && wall !== "" && (offset === undefined || needsZone))
    throw required(`Missing time zone definition for ${which} time.`);
  try {
    const local = Temporal.PlainDateTime.from(wall, { overflow: "reject" });
    const at =
      offset === undefined
        ? wallToEpoch(local, timeZone ?? calendarZone)
        : Temporal.Instant.from(`${wall}${offset}`).epochMilliseconds;
    return { at, timeZone: timeZone ?? calendarZone };
  } catch {
    throw malformed(written);
  }
}

function readDate(text: string): string {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text))
      return Temporal.PlainDate.from(text, { overflow: "reject" }).toString();
  } catch {
    throw malformed(text);
  }
  throw malformed(text);
}

const malformed = (text: string) =>
  invalid(`Invalid value for: Invalid format: "${text}" is malformed`);

/**
 * A skipped local time uses the offset before the gap. An ambiguous local time is the first one
 * (RFC 5545, 3.3.5).
 */
export function wallToEpoch(wall: Temporal.PlainDateTime, timeZone: string): number {
  return wall.toZonedDateTime(timeZone, { disambiguation: "compatible" }).epochMilliseconds;
}

export function epochToWall(at: number, timeZone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDateTime();
}

/** Milliseconds since 1970. A date starts at midnight in the calendar's zone. */
export function epochOf(time: EventTime, calendarZone: string): number {
  return "date" in time
    ? wallToEpoch(Temporal.PlainDateTime.from(time.date), calendarZone)
    : time.at;
}

export function writeEventTime(time: EventTime, responseZone: string): WrittenTime {
  return "date" in time
    ? time
    : { dateTime: writeMoment(time.at, responseZone), timeZone: time.timeZone };
}

/** "2026-11-03T09:00:00+01:00", with Z for UTC. */
export function writeMoment(at: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: "never", smallestUnit: "second" })
    .replace("+00:00", "Z");
}

/** Parses RFC 3339 with an offset, as parameters require. Undefined for anything else. */
export function readMoment(text: string): number | undefined {
  const [, , offset] = dateTimePattern.exec(text) ?? [];
  if (offset === undefined) return undefined;
  try {
    return Math.floor(Temporal.Instant.from(text).epochMilliseconds / 1000) * 1000;
  } catch {
    return undefined;
  }
}
