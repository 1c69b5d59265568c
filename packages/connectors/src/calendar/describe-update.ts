import type { calendar_v3 } from "@googleapis/calendar";
import { occurrenceLines } from "./changed-occurrences.ts";
import type { EventDiff } from "./diff-event.ts";
import { invites } from "./text-of-others.ts";
import { timeOf } from "./event-view.ts";
import { guestsOf } from "./guests-affected.ts";
import { calendarLine, guestLines, previewOf, type PreparedEvent } from "./prepared-event.ts";
import type { EventToChange } from "./read-events.ts";
import { whenInWords } from "./time-words.ts";

/** The preview that the owner approves. */
export function describeUpdate(
  { event, occurrences, zone }: EventToChange,
  diff: EventDiff,
  prepared: PreparedEvent,
): string {
  const { summary, span, location, attendees, description, recurrence, lost } = diff;
  // What it says already leaves with the invitation.
  const told = invites(diff, event) ? event : {};
  const lines = [
    `Update event: ${event.summary ?? "(no title)"}${scopeWords(event)}`,
    ...(summary === undefined ? [] : [diffLine("Title", event.summary ?? "", summary)]),
    span === undefined
      ? `When: ${whenOf(event, zone)}`
      : diffLine("When", whenOf(event, zone), whenInWords(span.start, span.end, zone)),
    ...diff.seriesLines,
    ...occurrenceLines(occurrences, {
      zone,
      isLost: span !== undefined || recurrence !== undefined,
      lost,
    }),
    ...(location === undefined
      ? [told.location ?? ""].filter(Boolean).map((where) => `Where: ${where}`)
      : [diffLine("Where", event.location ?? "", location)]),
    ...(attendees === undefined
      ? []
      : [diffLine("Guest list", guestWords(event.attendees ?? []), guestWords(attendees))]),
    ...guestLines(prepared),
    calendarLine(prepared),
    ...(description === undefined
      ? [told.description ?? ""]
          .filter(Boolean)
          .map(() => "Description, which new guests can read:")
      : ["New description:"]),
  ];
  return previewOf(lines, description ?? told.description ?? "");
}

function scopeWords({ recurringEventId, recurrence }: calendar_v3.Schema$Event): string {
  if (recurringEventId) return " · only this event";
  return recurrence?.length ? " · entire series" : "";
}

const guestWords = (attendees: readonly calendar_v3.Schema$EventAttendee[]) =>
  guestsOf(attendees).join(", ");

function diffLine(what: string, before: string, now: string): string {
  return `${what}: ${before || "(none)"} → ${now || "(none)"}`;
}

function whenOf(event: calendar_v3.Schema$Event, zone: string): string {
  const [start, end] = [timeOf(event.start, zone), timeOf(event.end, zone)];
  return start && end ? whenInWords(start, end, zone) : "(no time)";
}
