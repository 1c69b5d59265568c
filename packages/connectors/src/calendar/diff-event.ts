import { BronError } from "@bron/core";
import { omitUndefined, type JsonObject } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import type { z } from "zod";
import { parseAddress } from "../addresses.ts";
import { checkOneLine, checkText } from "../one-line.ts";
import type { updateInput } from "./event-input.ts";
import { checkZone, dayIn, isSameTime, readTime, type EventTime } from "./event-time.ts";
import { timeOf } from "./event-view.ts";
import { guestsOf, type Attendee } from "./guests-affected.ts";
import { checkOrder, readEnd, uniqueAddresses, withSameLength } from "./prepared-event.ts";
import { readSeriesChange } from "./series-change.ts";

/** How an update changes an event. Fields that stay the same are undefined. */
export interface EventDiff {
  readonly summary: string | undefined;
  readonly location: string | undefined;
  readonly description: string | undefined;
  readonly span: { readonly start: EventTime; readonly end: EventTime } | undefined;
  /** The complete new list. */
  readonly attendees: readonly Attendee[] | undefined;
  /** All recurrence lines. */
  readonly recurrence: readonly string[] | undefined;
  /** Lines of the preview about the series, also if it does not change. */
  readonly seriesLines: readonly string[];
  /** Descriptions of canceled or added dates that cannot be kept. */
  readonly lost: readonly string[];
}

/** Throws invalid_arguments if the change is impossible or changes nothing. */
export function diffEvent(
  input: z.output<typeof updateInput>,
  event: calendar_v3.Schema$Event,
  { zone, now }: { readonly zone: string; readonly now: number },
): EventDiff {
  const { summary, location, description } = changedTexts(input, event);
  if (summary !== undefined) checkOneLine("The title", summary);
  if (location !== undefined) checkOneLine("The location", location);
  if (description !== undefined) checkText("The description", description);
  const span = newSpan(input, event, zone);
  const attendees = newAttendees(input, event.attendees ?? []);
  const { recurrence, lines, lost } = readSeriesChange(event, {
    recurrence: input.recurrence,
    start: span?.start,
    zone,
    today: dayIn(zone, now),
  });
  const changed = { summary, location, description, span, attendees, recurrence };
  if (Object.values(changed).every((value) => value === undefined))
    throw new BronError("invalid_arguments", "Nothing would change. Say what to change.");
  return { ...changed, seriesLines: lines, lost };
}

/** The body of the request, without the mark. */
export function toPatch(diff: EventDiff): JsonObject {
  const { summary, span, location, description, attendees, recurrence } = diff;
  return omitUndefined({
    summary,
    start: span && replaced(span.start),
    end: span && replaced(span.end),
    location,
    description,
    attendees: attendees?.map(toJson),
    recurrence: recurrence && [...recurrence],
  });
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
    // A name would not be in the guest list that the owner approves.
    ...added.map(({ address }) => ({ email: address })),
  ];
}

function toJson(attendee: Attendee): JsonObject {
  return JSON.parse(JSON.stringify(attendee)) as JsonObject;
}
