import type { Attendee, ParameterValue, VEvent } from "node-ical";
import { lastDay, type TimeWriter } from "./event-time.ts";

export const eventColumns = ["Summary", "Start", "End", "Time zone", "Start (UTC)", "End (UTC)", "Repeats", "Status", "Location", "Organizer", "Attendees", "Description"] as const;
export type EventColumn = (typeof eventColumns)[number];

const maxAttendees = 100;
const maxValueCharacters = 20_000;

/** An event by column; what it does not say is empty. */
export function describeEvent(event: VEvent, writeTime: TimeWriter): Record<EventColumn, string> {
  const isAllDay = event.datetype === "date";
  const start = writeTime(event.start);
  const end = writeTime(isAllDay && event.end?.dateOnly ? lastDay(event.end) : event.end);
  return {
    Summary: valueOf(event.summary),
    Start: start ? `${start.local}${isAllDay ? " (all day)" : ""}` : "",
    End: end ? `${end.local}${isAllDay ? " (all day)" : ""}` : "",
    "Time zone": start?.zone ?? "",
    "Start (UTC)": start?.utc ?? "",
    "End (UTC)": end?.utc ?? "",
    Repeats: repeats(event, writeTime),
    Status: typeof event.status === "string" ? event.status.toLowerCase() : "",
    Location: valueOf(event.location),
    Organizer: event.organizer === undefined ? "" : writePerson(event.organizer),
    Attendees: attendees(event.attendee),
    Description: valueOf(event.description),
  };
}

/** Only the rule in words: how often it comes may be without end. */
function repeats({ rrule, recurrenceid, exdate }: VEvent, writeTime: TimeWriter): string {
  const moved = writeTime(recurrenceid);
  if (moved) return `this one replaces that of ${moved.local}`;
  if (rrule === undefined || typeof rrule.toText !== "function") return "";
  // The offset of the first one does not hold across the change to summer time.
  const rule = rrule.toText("en").replace(/\b([AP]M) [A-Z]{2,5}(?:[+-][\d:]+)?/g, "$1");
  const days = [...new Set(Object.values(exdate ?? {}).flatMap((date) => writeTime(date)?.local.slice(0, 10) ?? []))];
  return `${rule}${days.length === 0 ? "" : `, but not on ${days.slice(0, 20).join(", ")}${days.length > 20 ? " and others" : ""}`}`;
}

function attendees(given: readonly Attendee[] | Attendee | undefined): string {
  const all = given === undefined ? [] : Array.isArray(given) ? given : [given];
  const shown = all.slice(0, maxAttendees).map(writePerson).join(", ");
  return all.length > maxAttendees ? `${shown} and ${all.length - maxAttendees} more` : shown;
}

function writePerson(person: ParameterValue<string, Record<string, unknown>>): string {
  const address = valueOf(person).replace(/^mailto:/i, "");
  const { CN: name, PARTSTAT: answer } = typeof person === "string" ? {} : person.params;
  const named = typeof name === "string" && name !== "" && name !== address ? `${name} <${address}>` : address;
  return typeof answer === "string" && answer !== "NEEDS-ACTION" ? `${named} (${answer.toLowerCase()})` : named;
}

/** The library gives text, text with parameters, or a list if a line comes twice. */
function valueOf(given: unknown): string {
  if (Array.isArray(given)) return given.map(valueOf).join("\n");
  if (typeof given === "object" && given !== null && "val" in given) return valueOf(given.val);
  return typeof given === "string" ? given.slice(0, maxValueCharacters).trim() : "";
}
