import { omitUndefined } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import { readFromGoogle, type Caller } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import { timeOf } from "./event-view.ts";
import { momentInWords, whenInWords } from "./time-words.ts";

type Event = calendar_v3.Schema$Event;

/** An occurrence of a series that somebody changed or called off by itself, as it was shown. */
export type ChangedOccurrence = { eventId: string; etag: string };

interface Series {
  readonly calendarId: string;
  readonly eventId: string;
  /** Empty for what is no series. */
  readonly iCalUID: string;
}

const mostNamed = 10;

/** A change of one occurrence leaves the series' own etag as it is: they have to be looked at by themselves. */
export async function readChangedOccurrences(
  deps: CalendarDeps,
  caller: Caller,
  { calendarId, eventId, iCalUID }: Series,
): Promise<Event[]> {
  if (iCalUID === "") return [];
  const found: Event[] = [];
  let pageToken: string | undefined;
  do {
    // Neither expanded nor with what is deleted: only so does Google list the occurrences that were called off.
    const request = {
      calendarId,
      iCalUID,
      singleEvents: false,
      maxResults: 250,
      ...omitUndefined({ pageToken }),
    };
    const { items = [], nextPageToken } = await readFromGoogle(
      deps,
      caller,
      ({ calendar }, options) => calendar.events.list(request, options),
    );
    found.push(...items.filter(({ recurringEventId }) => recurringEventId === eventId));
    pageToken = nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  return found;
}

export function seriesUid({ recurrence, iCalUID }: Event): string {
  return recurrence?.length ? (iCalUID ?? "") : "";
}

/** In one order, whatever order they were listed in. */
export function toChangedOccurrences(events: readonly Event[]): ChangedOccurrence[] {
  return events
    .map(({ id, etag }) => ({ eventId: id ?? "", etag: etag ?? "" }))
    .toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1));
}

export function areSame(
  some: readonly ChangedOccurrence[],
  others: readonly ChangedOccurrence[],
): boolean {
  return (
    some.length === others.length &&
    some.every(
      ({ eventId, etag }, at) => others[at]?.eventId === eventId && others[at].etag === etag,
    )
  );
}

interface OccurrenceFacts {
  readonly zone: string;
  /** A series with other times or another rule begins anew, without them. */
  readonly isLost: boolean;
  /** What else it loses, in words. */
  readonly lost: readonly string[];
}

export function occurrenceLines(
  occurrences: readonly Event[],
  { zone, isLost, lost }: OccurrenceFacts,
): string[] {
  const all = [...occurrences.map((one) => occurrenceInWords(one, zone)), ...lost];
  if (all.length === 0) return [];
  const which =
    all.length === 1
      ? "1 occurrence that was changed or called off by itself"
      : `${all.length} occurrences that were changed or called off by themselves`;
  return [
    `${isLost ? "Lost with it" : "It may not reach"}: ${which}`,
    ...all.slice(0, mostNamed).map((one) => `- ${one}`),
    ...(all.length > mostNamed ? [`- and ${all.length - mostNamed} more`] : []),
  ];
}

function occurrenceInWords(
  { originalStartTime, start, end, status, summary, location }: Event,
  zone: string,
): string {
  const [planned, begins, ends] = [
    timeOf(originalStartTime, zone),
    timeOf(start, zone),
    timeOf(end, zone),
  ];
  const was = planned ? momentInWords(planned) : "(no time)";
  if (status === "cancelled" || !begins || !ends) return `${was}: called off`;
  return `${was}: ${[whenInWords(begins, ends, zone), summary, location].filter(Boolean).join(", ")}`;
}
