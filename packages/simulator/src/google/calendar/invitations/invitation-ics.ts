import { Temporal } from "temporal-polyfill";
import { epochToWall, type EventTime } from "../event-time.ts";
import { compact } from "../recurrence.ts";
import { isSeries, type Attendee, type StoredEvent } from "../stored-event.ts";
import { escapeText, joinLines, parameterValue } from "./ics-lines.ts";
import { timeZoneLines } from "./time-zone-lines.ts";

/** An invitation or update, a cancellation, or a response. */
export type InvitationMethod = "REQUEST" | "CANCEL" | "REPLY";

interface IcsOptions {
  readonly method: InvitationMethod;
  /** The guest who responds. A reply lists no other guest. */
  readonly replier?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Writes single events in UTC and series in their own zone, like Google. */
export function invitationIcs(event: StoredEvent, { method, replier, now }: IcsOptions): string {
  const isOfSeries = isSeries(event) || event.recurringEventId !== undefined;
  const zone = isOfSeries && !("date" in event.start) ? event.start.timeZone : undefined;
  const attendees = (event.attendees ?? []).filter(
    ({ email }) => method !== "REPLY" || email === replier,
  );
  return joinLines([
    "BEGIN:VCALENDAR",
    "PRODID:-//Google Inc//Google Calendar 70.9054//EN",
    "VERSION:2.0",
    "CALSCALE:GREGORIAN",
    `METHOD:${method}`,
    ...(zone === undefined ? [] : timeZoneLines(zone, epochOfTimed(event.start))),
    "BEGIN:VEVENT",
    timeLine("DTSTART", event.start, zone),
    timeLine("DTEND", event.end, zone),
    ...(event.recurrence ?? []),
    `DTSTAMP:${utc(now)}`,
    `ORGANIZER;CN=${parameterValue(event.organizer.displayName ?? event.organizer.email)}:mailto:${event.organizer.email}`,
    `UID:${event.iCalUID}`,
    ...attendees.map(attendeeLine),
    ...(event.originalStart === undefined
      ? []
      : [timeLine("RECURRENCE-ID", event.originalStart, zone)]),
    `CREATED:${utc(event.created)}`,
    ...(event.description === undefined ? [] : [`DESCRIPTION:${escapeText(event.description)}`]),
    `LAST-MODIFIED:${utc(event.updated)}`,
    ...(event.location === undefined ? [] : [`LOCATION:${escapeText(event.location)}`]),
    `SEQUENCE:${event.sequence}`,
    `STATUS:${method === "CANCEL" ? "CANCELLED" : event.status.toUpperCase()}`,
    `SUMMARY:${escapeText(event.summary ?? "")}`,
    "TRANSP:OPAQUE",
    "END:VEVENT",
    "END:VCALENDAR",
  ]);
}

function attendeeLine({ email, displayName, optional, responseStatus }: Attendee): string {
  const status = responseStatus === "needsAction" ? "NEEDS-ACTION" : responseStatus.toUpperCase();
  const parameters = [
    "CUTYPE=INDIVIDUAL",
    `ROLE=${optional === true ? "OPT" : "REQ"}-PARTICIPANT`,
    `PARTSTAT=${status}`,
    "RSVP=TRUE",
    `CN=${parameterValue(displayName ?? email)}`,
    "X-NUM-GUESTS=0",
  ];
  return `ATTENDEE;${parameters.join(";")}:mailto:${email}`;
}

function timeLine(name: string, time: EventTime, zone: string | undefined): string {
  if ("date" in time) return `${name};VALUE=DATE:${time.date.replaceAll("-", "")}`;
  return zone === undefined
    ? `${name}:${utc(time.at)}`
    : `${name};TZID=${zone}:${compact(epochToWall(time.at, zone))}`;
}

const utc = (at: number) => `${compact(epochToWall(at, "UTC"))}Z`;

const epochOfTimed = (time: EventTime) =>
  "date" in time ? Temporal.Instant.from(`${time.date}T00:00:00Z`).epochMilliseconds : time.at;
