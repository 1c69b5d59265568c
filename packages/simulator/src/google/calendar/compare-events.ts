import type { SharedContent, StoredEvent } from "./stored-event.ts";

/** Only the organizer's fields. */
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

/** Whether guests must be notified. Such a change also raises the sequence. */
export function isRevised(before: StoredEvent, after: StoredEvent): boolean {
  const notified = ({
    summary,
    description,
    location,
    start,
    end,
    recurrence,
    status,
  }: StoredEvent) =>
    JSON.stringify([summary, description, location, start, end, recurrence, status]);
  return notified(before) !== notified(after);
}

/** Whether a guest changed more than their own response. */
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

/** Whether only reminders changed, which are not part of the event. */
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
