import type { calendar_v3 } from "@googleapis/calendar";
import { dayBefore, isZone, type EventTime } from "./event-time.ts";

type Guest = { email: string; name: string; response: string };

/** Plain data, because it becomes a tool's output. */
export type EventView = {
  eventId: string;
  /** Id of its series, or empty for a single event. */
  seriesId: string;
  summary: string;
  /** Time with offset, or a day. */
  start: string;
  /** Time with offset, or the last day. */
  end: string;
  allDay: boolean;
  status: string;
  location: string;
  description: string;
  organizer: string;
  guests: Guest[];
  recurrence: string[];
};

const maxDescriptionCharacters = 4_000;

export function toEventView(event: calendar_v3.Schema$Event): EventView {
  const description = event.description ?? "";
  return {
    eventId: event.id ?? "",
    seriesId: event.recurringEventId ?? "",
    summary: event.summary ?? "(no title)",
    start: event.start?.dateTime ?? event.start?.date ?? "",
    end: event.end?.dateTime ?? (event.end?.date ? dayBefore(event.end.date) : ""),
    allDay: event.start?.date !== undefined && event.start.date !== null,
    status: event.status ?? "confirmed",
    location: event.location ?? "",
    description:
      description.length > maxDescriptionCharacters
        ? `${description.slice(0, maxDescriptionCharacters)}… (truncated: ${description.length} characters in total)`
        : description,
    organizer: event.organizer?.email ?? "",
    guests: (event.attendees ?? []).flatMap((attendee) =>
      attendee.self === true || attendee.resource === true
        ? []
        : [
            {
              email: attendee.email ?? "",
              name: attendee.displayName ?? "",
              response: attendee.responseStatus ?? "needsAction",
            },
          ],
    ),
    recurrence: event.recurrence ?? [],
  };
}

/** Undefined without a time, which canceled occurrences may lack. */
export function timeOf(
  time: calendar_v3.Schema$EventDateTime | undefined,
  zone: string,
): EventTime | undefined {
  if (time?.date) return { date: time.date };
  // Events from other calendars may name unknown zones.
  const ownZone = time?.timeZone && isZone(time.timeZone) ? time.timeZone : zone;
  return time?.dateTime ? { dateTime: time.dateTime, timeZone: ownZone } : undefined;
}
