import type { Calendar, Calendars } from "./calendars.ts";
import { responseStatusOf, nextVersion, sharedContent } from "./compare-events.ts";
import { findEvent } from "./instances.ts";
import type { Attendee, StoredEvent } from "./stored-event.ts";

interface PlacedEvent {
  readonly calendarId: string;
  readonly event: StoredEvent;
}

interface Change {
  readonly calendar: Calendar;
  /** Absent for a new event. */
  readonly before: StoredEvent | undefined;
  readonly after: StoredEvent;
  readonly now: Date;
}

/**
 * Spreads a change to the calendar where it was made, to the organizer's calendar and to the copies
 * of all guests with a calendar here.
 */
export function spreadChange(calendars: Calendars, change: Change): readonly PlacedEvent[] {
  const { calendar, after, now } = change;
  const own = { calendarId: calendar.facts.id, event: after };
  if (after.organizer.email === calendar.facts.id) return [own, ...copies(calendars, change)];
  const home = calendars.find(after.organizer.email);
  const kept = home && findEvent(home, after.id);
  if (!home || !kept || kept.status === "cancelled") return [own];
  const answered: StoredEvent = {
    ...kept,
    ...(after.guestsCanModify === true && after.status !== "cancelled"
      ? sharedContent(after)
      : { attendees: withGuestResponse(kept.attendees, after, calendar.facts.id) }),
    updated: now.getTime(),
    version: nextVersion(kept.version, now),
  };
  const others = copies(calendars, { calendar: home, before: kept, after: answered, now });
  return [
    own,
    { calendarId: home.facts.id, event: answered },
    ...others.filter(({ calendarId }) => calendarId !== calendar.facts.id),
  ];
}

/** A guest who deletes an event from their calendar declines it. */
function withGuestResponse(
  attendees: readonly Attendee[] | undefined,
  after: StoredEvent,
  guest: string,
): readonly Attendee[] | undefined {
  const response = after.attendees?.find(({ email }) => email === guest);
  return attendees?.map((attendee) => {
    if (attendee.email !== guest) return attendee;
    return after.status === "cancelled"
      ? { ...attendee, responseStatus: "declined" }
      : (response ?? attendee);
  });
}

function copies(calendars: Calendars, { calendar, before, after, now }: Change): PlacedEvent[] {
  const guests = new Set(
    [...(before?.attendees ?? []), ...(after.attendees ?? [])].map(({ email }) => email),
  );
  guests.delete(calendar.facts.id);
  return [...guests].flatMap((guest) => {
    const theirs = calendars.find(guest);
    if (!theirs) return [];
    const existing = findEvent(theirs, after.id);
    if (!existing && (responseStatusOf(after, guest) === undefined || after.status === "cancelled"))
      return [];
    return [{ calendarId: guest, event: copyFor(guest, { event: after, existing, now }) }];
  });
}

function copyFor(
  guest: string,
  {
    event,
    existing,
    now,
  }: {
    readonly event: StoredEvent;
    readonly existing: StoredEvent | undefined;
    readonly now: Date;
  },
): StoredEvent {
  const {
    privateProperties: _private,
    visibility: _visibility,
    transparency: _transparency,
    colorId: _color,
    ...shared
  } = event;
  const version = nextVersion(existing?.version ?? 0, now);
  if (!existing) return { ...shared, reminders: { useDefault: true }, version };
  const { privateProperties, reminders, visibility, transparency, colorId } = existing;
  const response = responseStatusOf(event, guest);
  // A guest who deleted the event does not get it back by a change.
  const isGone =
    response === undefined || (existing.status === "cancelled" && response === "declined");
  return {
    ...shared,
    privateProperties,
    reminders,
    visibility,
    transparency,
    colorId,
    version,
    status: isGone ? "cancelled" : event.status,
  };
}
