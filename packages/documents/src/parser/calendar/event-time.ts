import type { DateWithTimeZone } from "node-ical";

/**
 * A date from the library. `isExact` means that it is the intended instant, and not one of two with
 * the same local time.
 */
export type DateOfFile = DateWithTimeZone & { isExact?: boolean };

export interface WrittenTime {
  readonly at: number;
  /** Local time as the calendar shows it: "2024-07-01 09:00", or only the day. */
  readonly local: string;
  /** Empty for days and for times without a zone. */
  readonly utc: string;
  /** "Europe/Berlin", "UTC", or empty. */
  readonly zone: string;
}

/** Formats a date from the library, which may be anything if the file is broken. */
export type TimeWriter = (date: DateOfFile | undefined) => WrittenTime | undefined;

const maxZones = 100;

/** Caches one formatter per zone, because a thousand events share a few zones. */
export function createTimeWriter(): TimeWriter {
  const formats = new Map<string, Intl.DateTimeFormat | undefined>();
  const formatFor = (zone: string) => {
    if (!formats.has(zone) && formats.size < maxZones) formats.set(zone, createFormat(zone));
    return formats.get(zone);
  };
  return (date) => {
    if (!(date instanceof Date) || Number.isNaN(date.getTime())) return undefined;
    // The library puts days, and times without a zone, into this process's zone.
    const at = date.getTime();
    if (date.dateOnly) return { at, local: localParts(date).slice(0, 10), utc: "", zone: "" };
    if (date.tz === undefined) return { at, local: localParts(date), utc: "", zone: "" };
    const format = formatFor(date.tz);
    const zone = date.tz === "Etc/UTC" ? "UTC" : date.tz;
    if (!format) return { at, local: localParts(date), utc: "", zone: `${zone} (unknown)` };
    const local = format.format(date);
    const exactAt =
      date.isExact === true
        ? at
        : earlierInstant(at, (instant) => format.format(instant) === local);
    return {
      at: exactAt,
      local,
      utc: new Date(exactAt).toISOString().slice(0, 16).replace("T", " "),
      zone,
    };
  };
}

/**
 * When clocks go back, an ambiguous time means the first one (RFC 5545, 3.3.5), but the library
 * returns the second.
 */
function earlierInstant(at: number, isSame: (instant: number) => boolean): number {
  return [3_600_000, 1_800_000].map((ms) => at - ms).find(isSame) ?? at;
}

/** The last day of an all-day event, because the file names the day after it. */
export function lastDay(end: DateWithTimeZone): DateWithTimeZone {
  const day: DateWithTimeZone = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1);
  day.dateOnly = true;
  return day;
}

/** Undefined for an unknown zone. */
function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    // The Swedish locale formats dates like ISO.
    return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  } catch {
    return undefined;
  }
}

function localParts(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
