import { nameWords, type MentionQuery, type ToolContext } from "@bron/core";
import { readFromGoogle } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
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
  return query.kind === "event" ? await eventsCalled(deps, query.words, calendarId, context) : [];
}

const dayMs = 86_400_000;
const backDays = 90;
const aheadDays = 365;
const maxEvents = 250;

/** The events whose title has all words of the mention. A series counts once. */
async function eventsCalled(
  deps: CalendarDeps,
  mention: string,
  calendarId: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const words = nameWords(mention);
  if (words.length === 0) return [];
  const now = deps.clock.now();
  const { items = [] } = await readFromGoogle(deps, context, ({ calendar }, options) =>
    calendar.events.list(
      {
        calendarId,
        q: words.join(" "),
        timeMin: new Date(now - backDays * dayMs).toISOString(),
        timeMax: new Date(now + aheadDays * dayMs).toISOString(),
        singleEvents: true,
        maxResults: maxEvents,
      },
      options,
    ),
  );
  const called = items.filter(({ summary }) => {
    const title = nameWords(summary ?? "");
    return words.every((word) => title.includes(word));
  });
  return [...new Set(called.flatMap(({ id, recurringEventId }) => recurringEventId ?? id ?? []))];
}

/** The id of an event, or of the series that an occurrence belongs to. */
export function seriesId(eventId: string): string {
  return eventId.replace(/_\d{8}(?:T\d{6}Z)?$/, "");
}
