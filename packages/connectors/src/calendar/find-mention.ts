import { nameWords, type MentionQuery, type ToolContext } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { readFromGoogle } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import { readEvent } from "./read-events.ts";
import type { PreparedEvent } from "./prepared-event.ts";

/** Finds whom and which event the owner's words mean, for a change of the calendar. */
export async function findEventMention(
  deps: CalendarDeps,
  query: MentionQuery,
  { calendarId }: PreparedEvent,
  context: ToolContext,
): Promise<readonly string[]> {
  if ("means" in query)
    return query.means === "person" ? await deps.peopleNamed(context, query.words) : [];
  if (query.kind !== "event") return [];
  const [byId, called] = await Promise.all([
    eventWithId(deps, query.words, calendarId, context),
    eventsCalled(deps, query.words, calendarId, context),
  ]);
  return [...new Set([...byId, ...called])];
}

const dayMs = 86_400_000;
const backDays = 90;
const aheadDays = 365;
/** The most that Google returns at once. */
const maxEvents = 2_500;
const maxPages = 4;
/** Stands for events on pages that are not read. No event has this id. */
const moreEvents = "…";

/** Shorter words with digits may be part of a title. */
const idPattern = /^(?=\D*\d)[a-z0-9_]{16,1024}$/i;

/** The event whose id the owner typed. */
async function eventWithId(
  deps: CalendarDeps,
  mention: string,
  calendarId: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const [eventId, ...others] = mention.split(/\s+/).filter((word) => idPattern.test(word));
  if (eventId === undefined || others.length > 0) return [];
  const event = await readEvent(deps, context, { calendarId, eventId });
  const id = event?.recurringEventId ?? event?.id;
  return id && event?.status !== "cancelled" ? [id] : [];
}

/**
 * The events whose title has all words of the mention. A series counts once. Events on further pages
 * may match too, so that the mention is not clear then.
 */
async function eventsCalled(
  deps: CalendarDeps,
  mention: string,
  calendarId: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const words = nameWords(mention);
  if (words.length === 0) return [];
  const now = deps.clock.now();
  const period = {
    timeMin: new Date(now - backDays * dayMs).toISOString(),
    timeMax: new Date(now + aheadDays * dayMs).toISOString(),
  };
  const found: string[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { items = [], nextPageToken } = await readFromGoogle(
      deps,
      context,
      ({ calendar }, options) =>
        calendar.events.list(
          {
            calendarId,
            q: words.join(" "),
            ...period,
            singleEvents: true,
            maxResults: maxEvents,
            ...omitUndefined({ pageToken }),
          },
          options,
        ),
    );
    found.push(
      ...items
        .filter(({ summary }) => hasWords(nameWords(summary ?? ""), words))
        .flatMap(({ id, recurringEventId }) => recurringEventId ?? id ?? []),
    );
    if (!nextPageToken) return [...new Set(found)];
    pageToken = nextPageToken;
  }
  return [...new Set(found), moreEvents];
}

function hasWords(title: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => title.includes(word));
}

/** The id of an event, or of the series that an occurrence belongs to. */
export function seriesId(eventId: string): string {
  return eventId.replace(/_\d{8}(?:T\d{6}Z)?$/, "");
}
