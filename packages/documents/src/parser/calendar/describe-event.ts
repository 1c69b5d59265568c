import type { Attendee, ParameterValue, VEvent } from "node-ical";
import {
  lastDay,
  type DateOfFile as DateWithTimeZone,
  type TimeWriter,
  type WrittenTime,
} from "./event-time.ts";
import { ruleInWords } from "./rule-words.ts";

export const eventColumns = [
  "Summary",
  "Start",
  "End",
  "Time zone",
  "Start (UTC)",
  "End (UTC)",
  "Repeats",
  "Status",
  "Location",
  "Organizer",
  "Attendees",
  "Description",
] as const;
export type EventColumn = (typeof eventColumns)[number];

const maxAttendees = 100;
const maxValueCharacters = 20_000;
const maxPersonCharacters = 2_000;

/**
 * Describes an event by column, with empty strings for missing values. `lines` are the event's raw
 * lines, for details that the library loses.
 */
export function describeEvent(
  event: VEvent,
  lines: readonly string[],
  writeTime: TimeWriter,
): Record<EventColumn, string> {
  const isAllDay = event.datetype === "date";
  const own = ownLines(lines);
  const start = writeTime(event.start);
  const end = writeTime(
    isAllDay && event.end?.dateOnly
      ? lastDay(event.end)
      : own.some((line) => /^DTEND[;:]/i.test(line))
        ? event.end
        : after(event, start),
  );
  const names = quotedNames(own);
  return {
    Summary: valueOf(event.summary),
    Start: start ? `${start.local}${isAllDay ? " (all day)" : ""}` : "",
    End: end ? `${end.local}${isAllDay ? " (all day)" : ""}` : "",
    "Time zone": start?.zone ?? "",
    "Start (UTC)": start?.utc ?? "",
    "End (UTC)": end?.utc ?? "",
    Repeats: repeats(event, own, writeTime),
    Status: typeof event.status === "string" ? event.status.toLowerCase() : "",
    Location: valueOf(event.location),
    Organizer: event.organizer === undefined ? "" : writePerson(event.organizer, names),
    Attendees: attendees(event.attendee, names),
    Description: valueOf(event.description),
  };
}

/** Leaves out the lines of nested components such as alarms. */
function ownLines(lines: readonly string[]): string[] {
  let depth = 0;
  return lines.filter((line) => {
    if (/^BEGIN:/i.test(line)) depth += 1;
    const isOwn = depth <= 1;
    if (/^END:/i.test(line)) depth -= 1;
    return isOwn;
  });
}

/** End of an event that has a duration instead of an end. */
function after(
  { start, end }: VEvent,
  written: WrittenTime | undefined,
): DateWithTimeZone | undefined {
  if (!end || !written || !(start instanceof Date)) return end;
  return zoned(new Date(written.at + (end.getTime() - start.getTime())), end);
}

/** Describes only the rule, because a series may be endless. */
function repeats(
  { start, recurrenceid, exdate }: VEvent,
  lines: readonly string[],
  writeTime: TimeWriter,
): string {
  const moved = writeTime(recurrenceid);
  if (moved) return `replaces the occurrence of ${moved.local}`;
  const valuesOf = (name: string) =>
    lines.flatMap(
      (line) => new RegExp(`^${name}(?:;[^:]*)?:(.*)$`, "i").exec(line)?.[1]?.trim() ?? [],
    );
  const rules = valuesOf("RRULE").map((rule) =>
    ruleInWords(rule, (stamp) => stampInWords(stamp, start, writeTime)),
  );
  const added = valuesOf("RDATE")
    .flatMap((value) => value.split(","))
    .map((stamp) => stampInWords(stamp, undefined, writeTime));
  const without = [
    ...new Set(
      Object.values(exdate ?? {}).flatMap((date) => writeTime(date)?.local.slice(0, 10) ?? []),
    ),
  ];
  const additions =
    added.length === 0 ? [] : [`${rules.length > 0 ? "and " : ""}also on ${listDays(added)}`];
  return [
    ...rules,
    ...additions,
    ...(without.length === 0 ? [] : [`but not on ${listDays(without)}`]),
  ].join(", ");
}

function listDays(days: readonly string[]): string {
  return `${days.slice(0, 20).join(", ")}${days.length > 20 ? " and others" : ""}`;
}

/** Shows `20310512T000000Z` in the event's own zone, or as written if there is none. */
function stampInWords(
  stamp: string,
  start: DateWithTimeZone | undefined,
  writeTime: TimeWriter,
): string {
  const [, year, month, day, hour, minute, zulu] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?/.exec(stamp) ?? [];
  if (year === undefined) return stamp.slice(0, 40);
  const written = `${year}-${month}-${day}${hour === undefined ? "" : ` ${hour}:${minute}`}`;
  if (zulu !== "Z") return written;
  const inZone =
    start?.tz === undefined
      ? undefined
      : writeTime(zoned(new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`), start));
  return inZone?.local ?? `${written} UTC`;
}

function zoned(date: DateWithTimeZone, like: DateWithTimeZone): DateWithTimeZone {
  if (like.tz !== undefined) date.tz = like.tz;
  date.isExact = true;
  return date;
}

/** Quoted names by address, because the library cuts them at the first semicolon. */
function quotedNames(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = lines.flatMap((line) => {
    const [, name, address] =
      /^(?:ATTENDEE|ORGANIZER)(?:;[^;:"=]*=(?:"[^"]*"|[^;:"]*))*?;CN="([^"]*)"(?:;[^;:"=]*=(?:"[^"]*"|[^;:"]*))*:(?:mailto:)?(.*)$/i.exec(
        line.slice(0, maxPersonCharacters),
      ) ?? [];
    return name === undefined || address === undefined ? [] : [[address.trim(), name] as const];
  });
  return new Map(found);
}

function attendees(
  value: readonly Attendee[] | Attendee | undefined,
  names: ReadonlyMap<string, string>,
): string {
  const all = value === undefined ? [] : Array.isArray(value) ? value : [value];
  const shown = all
    .slice(0, maxAttendees)
    .map((attendee) => writePerson(attendee, names))
    .join(", ");
  return all.length > maxAttendees ? `${shown} and ${all.length - maxAttendees} more` : shown;
}

function writePerson(
  person: ParameterValue<string, Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): string {
  const address = valueOf(person).replace(/^mailto:/i, "");
  const { CN, PARTSTAT: response } = typeof person === "string" ? {} : person.params;
  const name = names.get(address) ?? CN;
  const named =
    typeof name === "string" && name !== "" && name !== address ? `${name} <${address}>` : address;
  return typeof response === "string" && response !== "NEEDS-ACTION"
    ? `${named} (${response.toLowerCase()})`
    : named;
}

/** The library returns text, text with parameters, or a list if a line occurs twice. */
function valueOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueOf).join("\n");
  if (typeof value === "object" && value !== null && "val" in value) return valueOf(value.val);
  return typeof value === "string" ? value.slice(0, maxValueCharacters).trim() : "";
}
