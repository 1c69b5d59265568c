import { omitUndefined } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import { readFromGoogle, type Caller } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import { timeOf } from "./event-view.ts";
import { momentInWords, whenInWords } from "./time-words.ts";

type Event = calendar_v3.Schema$Event;

/** An occurrence that was changed or canceled individually, as the owner saw it. */
export type ChangedOccurrence = { eventId: string; etag: string };

interface Series {
  readonly calendarId: string;
  readonly eventId: string;
  /** Empty if the event is not a series. */
  readonly iCalUID: string;
}

const maxListed = 10;

/**
 * Reads the occurrences themselves, because changing one does not change the etag of the series.
 */
export async function readChangedOccurrences(
  deps: CalendarDeps,
  caller: Caller,
  { calendarId, eventId, iCalUID }: Series,
): Promise<Event[]> {
  if (iCalUID === "") return [];
  const found: Event[] = [];
  let pageToken: string | undefined;
  do {
    // Google lists canceled occurrences only without `singleEvents` and without `showDeleted`.
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

/** Sorted, because Google may list them in any order. */
export function toChangedOccurrences(events: readonly Event[]): ChangedOccurrence[] {
  return events
    .map(({ id, etag }) => ({ eventId: id ?? "", etag: etag ?? "" }))
    .toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
}

export function areSame(
  before: readonly ChangedOccurrence[],
  now: readonly ChangedOccurrence[],
): boolean {
  return (
    before.length === now.length &&
    before.every(({ eventId, etag }, at) => now[at]?.eventId === eventId && now[at].etag === etag)
  );
}

interface OccurrenceFacts {
  readonly zone: string;
  /**
   * Whether the change resets these occurrences. A series with new times or a new rule starts over
   * without them.
   */
  readonly isLost: boolean;
  /** Descriptions of other dates that the change loses. */
  readonly lost: readonly string[];
}

export function occurrenceLines(
  occurrences: readonly Event[],
  { zone, isLost, lost }: OccurrenceFacts,
): string[] {
  const all = [...occurrences.map((occurrence) => occurrenceInWords(occurrence, zone)), ...lost];
  if (all.length === 0) return [];
  const which =
    all.length === 1
      ? "1 occurrence that was changed or canceled individually"
      : `${all.length} occurrences that were changed or canceled individually`;
  return [
    `${isLost ? "Will be lost" : "May not apply to"}: ${which}`,
    ...all.slice(0, maxListed).map((description) => `- ${description}`),
    ...(all.length > maxListed ? [`- and ${all.length - maxListed} more`] : []),
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
  if (status === "cancelled" || !begins || !ends) return `${was}: canceled`;
  return `${was}: ${[whenInWords(begins, ends, zone), summary, location].filter(Boolean).join(", ")}`;
}
