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
  keepLength,
  previewOf,
  readEnd,
  uniqueAddresses,
  type PreparedEvent,
} from "./prepared-event.ts";
import type { Changeable } from "./read-events.ts";
import { readSeriesChange } from "./series-change.ts";
import { whenInWords } from "./time-words.ts";

/** Done only if the event is still as it was shown. */
export interface PreparedUpdate extends PreparedEvent {
  etag: string;
  /** Of a series; empty for a single event and for one occurrence. */
  iCalUID: string;
  /** Of a series: a change made in one of them by itself does not show in the etag. */
  occurrences: ChangedOccurrence[];
  /** What was asked of the guest list and the rule, apart from what they were then: they may be others when it is edited. */
  asked: { addGuests: string[]; removeGuests: string[]; recurrence?: string };
}

interface Known extends Changeable {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Throws invalid_arguments for what cannot be done, or changes nothing. */
export function prepareUpdate(
  asked: z.output<typeof updateInput>,
  { account, zone, event, occurrences, now }: Known,
): { prepared: PreparedUpdate; preview: string } {
  checkChangeable(event);
  const wish = { ...asked, ...wordsThatDiffer(asked, event) };
  if (wish.summary !== undefined) checkOneLine("The title", wish.summary);
  if (wish.location !== undefined) checkOneLine("The place", wish.location);
  if (wish.description !== undefined) checkText("The description", wish.description);
  const span = newSpan(wish, event, zone);
  const attendees = newAttendees(wish, event.attendees ?? []);
  const {
    recurrence,
    lines: seriesLines,
    lost,
  } = readSeriesChange(event, {
    recurrence: wish.recurrence,
    start: span?.start,
    zone,
    today: dayIn(zone, now),
  });
  const changes: JsonObject = {
    ...omitUndefined({ summary: wish.summary }),
    ...(span === undefined ? {} : { start: replaced(span.start), end: replaced(span.end) }),
    ...omitUndefined({
      location: wish.location,
      description: wish.description,
      attendees: attendees === undefined ? undefined : attendees.map(toJson),
      recurrence,
    }),
  };
  if (Object.keys(changes).length === 0)
    throw new BronError(
      "invalid_arguments",
      "Say what is to be changed: nothing of this would be different.",
    );
  const mark = newMark();
  const before = guestsOf(event.attendees ?? []);
  const afterwards = attendees === undefined ? before : guestsOf(attendees);
  // Whoever is taken off the list hears of it too, and who is a guest of one occurrence only.
  const guests = [
    ...new Set([
      ...before,
      ...afterwards,
      ...occurrences.flatMap((one) => guestsOf(one.attendees ?? [])),
      ...othersWhoSee(event),
    ]),
  ];
  const prepared: PreparedUpdate = {
    account,
    calendarId: wish.calendarId,
    eventId: event.id ?? wish.eventId,
    etag: event.etag ?? "",
    iCalUID: seriesUid(event),
    occurrences: toChangedOccurrences(occurrences),
    asked: {
      addGuests: asked.addGuests,
      removeGuests: asked.removeGuests,
      ...omitUndefined({ recurrence: asked.recurrence }),
    },
    mark,
    guests,
    notify: wish.notifyGuests && guests.length > 0,
    known: [],
    event: { ...changes, extendedProperties: { private: markWith(mark, event) } },
  };
  const lines = [
    `Change of: ${event.summary ?? "(no title)"}${event.recurringEventId ? " (this occurrence only)" : event.recurrence?.length ? " (the whole series)" : ""}`,
    ...(wish.summary === undefined ? [] : [difference("Title", event.summary ?? "", wish.summary)]),
    span === undefined
      ? `When: ${whenOf(event, zone)}`
      : difference("When", whenOf(event, zone), whenInWords(span.start, span.end, zone)),
    ...seriesLines,
    ...occurrenceLines(occurrences, {
      zone,
      isLost: span !== undefined || recurrence !== undefined,
      lost,
    }),
    ...(wish.location === undefined
      ? []
      : [difference("Where", event.location ?? "", wish.location)]),
    ...(attendees === undefined
      ? []
      : [
          difference(
            "Guest list",
            before.join(", ") || "nobody",
            afterwards.join(", ") || "nobody",
          ),
        ]),
    ...guestLines(prepared),
    calendarLine(prepared),
    ...(wish.description === undefined ? [] : ["Its description is replaced by:"]),
  ];
  return { prepared, preview: previewOf(lines, wish.description ?? "") };
}

/** Whose event it is sees every change, and so do guests whom the list does not show. */
function othersWhoSee({
  organizer,
  attendeesOmitted,
  guestsCanSeeOtherGuests,
}: calendar_v3.Schema$Event): string[] {
  const isTheirs =
    organizer?.email !== undefined && organizer.email !== null && organizer.self !== true;
  return [
    ...(isTheirs && organizer.email ? [organizer.email] : []),
    ...(attendeesOmitted === true || (isTheirs && guestsCanSeeOtherGuests === false)
      ? ["guests whom the list does not show"]
      : []),
  ];
}

/** Google would refuse it, after a person has decided. */
function checkChangeable({ organizer, guestsCanModify, locked }: calendar_v3.Schema$Event): void {
  const isTheirs = organizer?.email && organizer.self !== true && guestsCanModify !== true;
  if (isTheirs || locked === true)
    throw new BronError(
      "forbidden",
      `It is an event of ${organizer?.displayName ?? organizer?.email ?? "somebody else"}, and only they can change it. Ask them to.`,
    );
}

/** What is so already is no change. */
function wordsThatDiffer(
  wish: z.output<typeof updateInput>,
  event: calendar_v3.Schema$Event,
): Pick<z.output<typeof updateInput>, "summary" | "location" | "description"> {
  const differing = (name: "summary" | "location" | "description") =>
    wish[name] === (event[name] ?? "") ? undefined : wish[name];
  return {
    summary: differing("summary"),
    location: differing("location"),
    description: differing("description"),
  };
}

function difference(what: string, before: string, now: string): string {
  return `${what}: ${before || "(nothing)"} → ${now || "(nothing)"}`;
}

function whenOf(event: calendar_v3.Schema$Event, zone: string): string {
  const [start, end] = [timeOf(event.start, zone), timeOf(event.end, zone)];
  return start && end ? whenInWords(start, end, zone) : "(no time)";
}

/** A new start alone keeps the length. */
function newSpan(
  wish: z.output<typeof updateInput>,
  event: calendar_v3.Schema$Event,
  zone: string,
): { start: EventTime; end: EventTime } | undefined {
  if (wish.start === undefined && wish.end === undefined) {
    if (wish.timeZone !== undefined)
      throw new BronError(
        "invalid_arguments",
        "A time zone alone changes nothing: give start and end too.",
      );
    return undefined;
  }
  const [oldStart, oldEnd] = [timeOf(event.start, zone), timeOf(event.end, zone)];
  if (!oldStart || !oldEnd)
    throw new BronError("invalid_arguments", "This event has no time that could be changed.");
  const eventZone = wish.timeZone ?? ("dateTime" in oldStart ? oldStart.timeZone : zone);
  checkZone(eventZone);
  const start = wish.start === undefined ? oldStart : readTime("start", wish.start, eventZone);
  const end =
    wish.end === undefined ? keepLength(start, oldStart, oldEnd) : readEnd(wish.end, eventZone);
  checkOrder(start, end);
  return isSameTime(start, oldStart) && isSameTime(end, oldEnd) ? undefined : { start, end };
}

/** What is not named in a patch stays: a day that becomes a time must lose its day. */
function replaced(time: EventTime): JsonObject {
  return "date" in time
    ? { date: time.date, dateTime: null, timeZone: null }
    : { date: null, ...time };
}

type Attendee = calendar_v3.Schema$EventAttendee;

function newAttendees(
  { addGuests, removeGuests }: z.output<typeof updateInput>,
  known: readonly Attendee[],
): Attendee[] | undefined {
  if (addGuests.length === 0 && removeGuests.length === 0) return undefined;
  const gone = removeGuests.map((guest) => parseAddress(guest).address.toLowerCase());
  const missing = gone.filter(
    (address) => !known.some(({ email }) => email?.toLowerCase() === address),
  );
  if (missing.length > 0)
    throw new BronError(
      "invalid_arguments",
      `${missing.join(", ")} is not among the guests: ${guestsOf(known).join(", ") || "there are none"}.`,
    );
  const kept = known.filter(({ email }) => !gone.includes(email?.toLowerCase() ?? ""));
  const added = uniqueAddresses(addGuests).filter(
    ({ address }) => !kept.some(({ email }) => email?.toLowerCase() === address.toLowerCase()),
  );
  if (kept.length === known.length && added.length === 0) return undefined;
  return [
    ...kept,
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
