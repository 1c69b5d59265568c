import { BronError } from "@bron/core";
import { omitUndefined, type JsonObject } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import type { z } from "zod";
import { parseAddress } from "../addresses.ts";
import { checkOneLine, checkText } from "../one-line.ts";
import {
  occurrenceLines,
  seriesUid,
  toChangedOccurrences,
  type ChangedOccurrence,
} from "./changed-occurrences.ts";
import { markWith, newMark } from "./effect-mark.ts";
import { checkZone, dayIn, isSameTime, readTime, type EventTime } from "./event-time.ts";
import { timeOf } from "./event-view.ts";
import type { updateInput } from "./event-input.ts";
import {
  calendarLine,
  checkOrder,
  guestLines,
  withSameLength,
  previewOf,
  readEnd,
  uniqueAddresses,
  type PreparedEvent,
} from "./prepared-event.ts";
import type { EventToChange } from "./read-events.ts";
import { readSeriesChange } from "./series-change.ts";
import { whenInWords } from "./time-words.ts";

/** Carried out only if the event is still as the owner saw it. */
export interface PreparedUpdate extends PreparedEvent {
  etag: string;
  /** UID of a series. Empty for a single event and for one occurrence. */
  iCalUID: string;
  /**
   * Changed occurrences of a series, because changing one does not change the etag of the series.
   */
  occurrences: ChangedOccurrence[];
  /**
   * The requested changes of the guest list and the rule, without their current values, which may
   * differ by the time of an edit.
   */
  asked: { addGuests: string[]; removeGuests: string[]; recurrence?: string };
}

interface Known extends EventToChange {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Throws invalid_arguments if the change is impossible or changes nothing. */
export function prepareUpdate(
  input: z.output<typeof updateInput>,
  { account, zone, event, occurrences, now }: Known,
): { prepared: PreparedUpdate; preview: string } {
  checkChangeable(event);
  const requested = { ...input, ...changedTexts(input, event) };
  if (requested.summary !== undefined) checkOneLine("The title", requested.summary);
  if (requested.location !== undefined) checkOneLine("The location", requested.location);
  if (requested.description !== undefined) checkText("The description", requested.description);
  const span = newSpan(requested, event, zone);
  const attendees = newAttendees(requested, event.attendees ?? []);
  const {
    recurrence,
    lines: seriesLines,
    lost,
  } = readSeriesChange(event, {
    recurrence: requested.recurrence,
    start: span?.start,
    zone,
    today: dayIn(zone, now),
  });
  const changes: JsonObject = {
    ...omitUndefined({ summary: requested.summary }),
    ...(span === undefined ? {} : { start: replaced(span.start), end: replaced(span.end) }),
    ...omitUndefined({
      location: requested.location,
      description: requested.description,
      attendees: attendees === undefined ? undefined : attendees.map(toJson),
      recurrence,
    }),
  };
  if (Object.keys(changes).length === 0)
    throw new BronError("invalid_arguments", "Nothing would change. Say what to change.");
  const mark = newMark();
  const before = guestsOf(event.attendees ?? []);
  const afterwards = attendees === undefined ? before : guestsOf(attendees);
  // Removed guests see the change too, and so do guests of a single occurrence.
  const guests = [
    ...new Set([
      ...before,
      ...afterwards,
      ...occurrences.flatMap((occurrence) => guestsOf(occurrence.attendees ?? [])),
      ...otherViewers(event),
    ]),
  ];
  const prepared: PreparedUpdate = {
    account,
    calendarId: requested.calendarId,
    eventId: event.id ?? requested.eventId,
    etag: event.etag ?? "",
    iCalUID: seriesUid(event),
    occurrences: toChangedOccurrences(occurrences),
    asked: {
      addGuests: input.addGuests,
      removeGuests: input.removeGuests,
      ...omitUndefined({ recurrence: input.recurrence }),
    },
    mark,
    guests,
    notify: requested.notifyGuests && guests.length > 0,
    known: [],
    event: { ...changes, extendedProperties: { private: markWith(mark, event) } },
  };
  const lines = [
    `Update event: ${event.summary ?? "(no title)"}${event.recurringEventId ? " · only this event" : event.recurrence?.length ? " · entire series" : ""}`,
    ...(requested.summary === undefined
      ? []
      : [diffLine("Title", event.summary ?? "", requested.summary)]),
    span === undefined
      ? `When: ${whenOf(event, zone)}`
      : diffLine("When", whenOf(event, zone), whenInWords(span.start, span.end, zone)),
    ...seriesLines,
    ...occurrenceLines(occurrences, {
      zone,
      isLost: span !== undefined || recurrence !== undefined,
      lost,
    }),
    ...(requested.location === undefined
      ? []
      : [diffLine("Where", event.location ?? "", requested.location)]),
    ...(attendees === undefined
      ? []
      : [diffLine("Guest list", before.join(", "), afterwards.join(", "))]),
    ...guestLines(prepared),
    calendarLine(prepared),
    ...(requested.description === undefined ? [] : ["New description:"]),
  ];
  return { prepared, preview: previewOf(lines, requested.description ?? "") };
}

/** The organizer sees every change, and so do guests who are hidden from the list. */
function otherViewers({
  organizer,
  attendeesOmitted,
  guestsCanSeeOtherGuests,
}: calendar_v3.Schema$Event): string[] {
  const isTheirs =
    organizer?.email !== undefined && organizer.email !== null && organizer.self !== true;
  return [
    ...(isTheirs && organizer.email ? [organizer.email] : []),
    ...(attendeesOmitted === true || (isTheirs && guestsCanSeeOtherGuests === false)
      ? ["guests hidden from the list"]
      : []),
  ];
}

/** Checks this before the owner is asked, because Google would reject the change afterwards. */
function checkChangeable({ organizer, guestsCanModify, locked }: calendar_v3.Schema$Event): void {
  const isTheirs = organizer?.email && organizer.self !== true && guestsCanModify !== true;
  if (isTheirs || locked === true)
    throw new BronError(
      "forbidden",
      `Only ${organizer?.displayName ?? organizer?.email ?? "the organizer"} can change this event. Ask them to change it.`,
    );
}

/** Leaves out fields that would not change. */
function changedTexts(
  wanted: z.output<typeof updateInput>,
  event: calendar_v3.Schema$Event,
): Pick<z.output<typeof updateInput>, "summary" | "location" | "description"> {
  const differing = (name: "summary" | "location" | "description") =>
    wanted[name] === (event[name] ?? "") ? undefined : wanted[name];
  return {
    summary: differing("summary"),
    location: differing("location"),
    description: differing("description"),
  };
}

function diffLine(what: string, before: string, now: string): string {
  return `${what}: ${before || "(none)"} → ${now || "(none)"}`;
}

function whenOf(event: calendar_v3.Schema$Event, zone: string): string {
  const [start, end] = [timeOf(event.start, zone), timeOf(event.end, zone)];
  return start && end ? whenInWords(start, end, zone) : "(no time)";
}

/** A new start without a new end keeps the length. */
function newSpan(
  wanted: z.output<typeof updateInput>,
  event: calendar_v3.Schema$Event,
  zone: string,
): { start: EventTime; end: EventTime } | undefined {
  if (wanted.start === undefined && wanted.end === undefined) {
    if (wanted.timeZone !== undefined)
      throw new BronError(
        "invalid_arguments",
        "A time zone alone changes nothing. Add start and end.",
      );
    return undefined;
  }
  const [oldStart, oldEnd] = [timeOf(event.start, zone), timeOf(event.end, zone)];
  if (!oldStart || !oldEnd)
    throw new BronError("invalid_arguments", "This event has no time to change.");
  const eventZone = wanted.timeZone ?? ("dateTime" in oldStart ? oldStart.timeZone : zone);
  checkZone(eventZone);
  const start = wanted.start === undefined ? oldStart : readTime("start", wanted.start, eventZone);
  const end =
    wanted.end === undefined
      ? withSameLength(start, oldStart, oldEnd)
      : readEnd(wanted.end, eventZone);
  checkOrder(start, end);
  return isSameTime(start, oldStart) && isSameTime(end, oldEnd) ? undefined : { start, end };
}

/** A patch keeps fields that it does not name, so a day that becomes a time must clear its date. */
function replaced(time: EventTime): JsonObject {
  return "date" in time
    ? { date: time.date, dateTime: null, timeZone: null }
    : { date: null, ...time };
}

type Attendee = calendar_v3.Schema$EventAttendee;

function newAttendees(
  { addGuests, removeGuests }: z.output<typeof updateInput>,
  current: readonly Attendee[],
): Attendee[] | undefined {
  if (addGuests.length === 0 && removeGuests.length === 0) return undefined;
  const removed = removeGuests.map((guest) => parseAddress(guest).address.toLowerCase());
  const missing = removed.filter(
    (address) => !current.some(({ email }) => email?.toLowerCase() === address),
  );
  if (missing.length > 0)
    throw new BronError(
      "invalid_arguments",
      `${missing.join(", ")} is not a guest. Guests: ${guestsOf(current).join(", ") || "none"}.`,
    );
  const remaining = current.filter(({ email }) => !removed.includes(email?.toLowerCase() ?? ""));
  const added = uniqueAddresses(addGuests).filter(
    ({ address }) => !remaining.some(({ email }) => email?.toLowerCase() === address.toLowerCase()),
  );
  if (remaining.length === current.length && added.length === 0) return undefined;
  return [
    ...remaining,
    ...added.map(({ address, name }) => ({
      email: address,
      ...(name === "" ? {} : { displayName: name }),
    })),
  ];
}

function guestsOf(attendees: readonly Attendee[]): string[] {
  return attendees.flatMap(({ email, self }) => (email && self !== true ? [email] : []));
}

function toJson(attendee: Attendee): JsonObject {
  return JSON.parse(JSON.stringify(attendee)) as JsonObject;
}
