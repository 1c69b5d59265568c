import type { DateWithTimeZone } from "node-ical";

export interface WrittenTime {
  /** As the calendar shows it: "2024-07-01 09:00", or the day alone. */
  readonly local: string;
  /** Empty for days and for times without a zone. */
  readonly utc: string;
  /** "Europe/Berlin", "UTC", or empty. */
  readonly zone: string;
}

/** A date of the library, which may be anything if the file is broken. */
export type TimeWriter = (date: DateWithTimeZone | undefined) => WrittenTime | undefined;

const maxZones = 100;

/** Keeps what it needs for each zone: a thousand events share a few. */
export function createTimeWriter(): TimeWriter {
  const formats = new Map<string, Intl.DateTimeFormat | undefined>();
  const formatFor = (zone: string) => {
    if (!formats.has(zone) && formats.size < maxZones) formats.set(zone, createFormat(zone));
    return formats.get(zone);
  };
  return (date) => {
    if (!(date instanceof Date) || Number.isNaN(date.getTime())) return undefined;
    // The library puts days and times without a zone into the zone of this process.
    if (date.dateOnly) return { local: localParts(date).slice(0, 10), utc: "", zone: "" };
    if (date.tz === undefined) return { local: localParts(date), utc: "", zone: "" };
    const inZone = formatFor(date.tz)?.format(date);
    const zone = date.tz === "Etc/UTC" ? "UTC" : date.tz;
    return inZone === undefined ? { local: localParts(date), utc: "", zone: `${zone} (unknown)` } : { local: inZone, utc: date.toISOString().slice(0, 16).replace("T", " "), zone };
  };
}

/** The last day of an all-day event: the file names the day after it. */
export function lastDay(end: DateWithTimeZone): DateWithTimeZone {
  const day: DateWithTimeZone = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1);
  day.dateOnly = true;
  return day;
}

/** Undefined for a zone that nobody knows. */
function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    // Swedish writes dates as ISO does.
    return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  } catch {
    return undefined;
  }
}

function localParts(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
