import type { calendar_v3 } from "@googleapis/calendar";

/** Stands for guests whose addresses Google does not return. */
export const hiddenGuests = "guests hidden from the list";

export type Attendee = calendar_v3.Schema$EventAttendee;

/**
 * The people who see a change: guests before and after it, guests of single occurrences, and other
 * viewers. Removed guests see it too.
 */
export function guestsAffected(
  event: calendar_v3.Schema$Event,
  attendees: readonly Attendee[] | undefined,
  occurrences: readonly calendar_v3.Schema$Event[],
): string[] {
  return [
    ...new Set([
      ...guestsOf(event.attendees ?? []),
      ...guestsOf(attendees ?? []),
      ...occurrences.flatMap((occurrence) => guestsOf(occurrence.attendees ?? [])),
      ...otherViewers(event),
    ]),
  ];
}

/** The guests on the list, without the owner of the account. */
export function guestsOf(attendees: readonly Attendee[]): string[] {
  return attendees.flatMap(({ email, self }) => (email && self !== true ? [email] : []));
}

/**
 * People who see every change though they are not on the list: an organizer who is not the owner, and
 * guests who are hidden.
 */
export function otherViewers({
  organizer,
  attendeesOmitted,
  guestsCanSeeOtherGuests,
}: calendar_v3.Schema$Event): string[] {
  const isTheirs =
    organizer?.email !== undefined && organizer.email !== null && organizer.self !== true;
  return [
    ...(isTheirs && organizer.email ? [organizer.email] : []),
    ...(attendeesOmitted === true || (isTheirs && guestsCanSeeOtherGuests === false)
      ? [hiddenGuests]
      : []),
  ];
}
