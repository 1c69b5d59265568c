import {
  nameWords,
  normalizeAddress,
  type MentionQuery,
  type PersonQuery,
  type ToolContext,
} from "@bron/core";
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
  if ("means" in query) {
    if (query.means === "person") return await deps.peopleNamed(context, query.words);
    const isGroup = query.means === "everyone" || query.means === "same_people";
    return isGroup ? await guestsOf(deps, query, calendarId, context) : [];
  }
  if (query.kind !== "event") return [];
  return await findEvents(deps, query.words, calendarId, context);
}

async function findEvents(
  deps: CalendarDeps,
  mention: string,
  calendarId: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const [byId, called] = await Promise.all([
    eventWithId(deps, mention, calendarId, context),
    eventsCalled(deps, mention, calendarId, context),
  ]);
  return [...new Set([...byId, ...called])];
}

/**
 * The guests of the one event that is mentioned, as far as the owner has written to them by hand. The
 * owner must organize it, because others put anyone on the list of theirs.
 */
async function guestsOf(
  deps: CalendarDeps,
  { events = [], mails }: PersonQuery,
  calendarId: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const [mention] = events;
  if (mention === undefined || events.length > 1 || mails.length > 0) return [];
  const [eventId, ...others] = await findEvents(deps, mention, calendarId, context);
  if (eventId === undefined || others.length > 0) return [];
  const event = await readEvent(deps, context, { calendarId, eventId });
  if (event?.organizer?.self !== true || event.attendeesOmitted === true) return [];
  const guests = (event.attendees ?? []).flatMap(({ email, self, resource }) =>
    email && !self && !resource ? [email] : [],
  );
  return (await deps.knownPeople(context, guests.map(normalizeAddress))).map(
    ({ address }) => address,
  );
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
