import type { SharedContent, StoredEvent } from "./stored-event.ts";

/** Only what the organizer says. */
export function sharedContent(event: SharedContent): SharedContent {
  const {
    summary,
    description,
    location,
    start,
    end,
    recurrence,
    attendees,
    sharedProperties,
    guestsCanModify,
    guestsCanInviteOthers,
    guestsCanSeeOtherGuests,
    source,
  } = event;
  return {
    summary,
    description,
    location,
    start,
    end,
    recurrence,
    attendees,
    sharedProperties,
    guestsCanModify,
    guestsCanInviteOthers,
    guestsCanSeeOtherGuests,
    source,
  };
}

/** What guests have to be told of, and what raises the sequence. */
export function isRevised(before: StoredEvent, after: StoredEvent): boolean {
  const told = ({ summary, description, location, start, end, recurrence, status }: StoredEvent) =>
    JSON.stringify([summary, description, location, start, end, recurrence, status]);
  return told(before) !== told(after);
}

/** Whether a guest changed more than their own answer. */
export function changesMoreThanResponse(
  before: StoredEvent,
  after: StoredEvent,
  guest: string,
): boolean {
  const others = (event: StoredEvent) =>
    JSON.stringify({
      ...sharedContent(event),
      attendees: event.attendees?.map((attendee) => (attendee.email === guest ? guest : attendee)),
    });
  return others(before) !== others(after);
}

export function responseStatusOf({ attendees }: SharedContent, guest: string): string | undefined {
  return attendees?.find(({ email }) => email === guest)?.responseStatus;
}

/** Reminders change nothing of the event itself. */
export function isOnlyReminders(before: StoredEvent, after: StoredEvent): boolean {
  const rest = ({ reminders: _, version: _version, updated: _updated, ...event }: StoredEvent) =>
    JSON.stringify(
      Object.entries(event)
        .filter(([, value]) => value !== undefined)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  return rest(before) === rest(after);
}

export function nextVersion(version: number, now: Date): number {
  return Math.max(now.getTime() * 2_000, version + 1);
}
