import type { PollWatch } from "@bron/core";
import type { calendar_v3 } from "@googleapis/calendar";
import type { CalendarDeps } from "../calendar/calendar-deps.ts";
import { toEventView } from "../calendar/event-view.ts";
import { readFromGoogle } from "../google/call-google.ts";
import { cursorOf, newSince, readSeen, type Seen } from "./seen.ts";

const dayMs = 86_400_000;
const aheadDays = 365;
const maxListed = 250;
/** Events that Bron adds itself are not something new. See `prepareEvent`. */
const ownPrefix = "bron";

/** Finds events of the main calendar that were added or changed since the last poll. */
export function watchCalendar(
  deps: Pick<CalendarDeps, "accounts" | "service" | "clock">,
): PollWatch {
  return async ({ query, cursor, ...caller }) => {
    const seen: Seen = cursor === null ? { at: 0, ids: [] } : readSeen(cursor);
    const now = deps.clock.now();
    const { items = [] } = await readFromGoogle(deps, caller, ({ calendar }, options) =>
      calendar.events.list(
        {
          calendarId: "primary",
          timeMin: new Date(now - dayMs).toISOString(),
          timeMax: new Date(now + aheadDays * dayMs).toISOString(),
          maxResults: maxListed,
          ...(query === "" ? {} : { q: query }),
        },
        options,
      ),
    );
    const events = items.map((event) => {
      const at = Date.parse(event.updated ?? "") || 0;
      return { id: `${event.id ?? ""} ${at}`, at, event };
    });
    const changed = newSince(events, seen).filter(
      ({ event }) => event.id?.startsWith(ownPrefix) !== true,
    );
    return {
      cursor: cursorOf(events, seen),
      matches: changed.map(({ event }) => describeEvent(event)),
    };
  };
}

function describeEvent(event: calendar_v3.Schema$Event): string {
  const { eventId, summary, start, end, location, organizer, guests, description } =
    toEventView(event);
  return [
    "An event was added or changed.",
    `eventId: ${eventId}`,
    `Title: ${summary}`,
    `From: ${start}`,
    `Until: ${end}`,
    ...(location === "" ? [] : [`Place: ${location}`]),
    ...(organizer === "" ? [] : [`Organizer: ${organizer}`]),
    ...(guests.length === 0 ? [] : [`Guests: ${guests.map(({ email }) => email).join(", ")}`]),
    description,
  ].join("\n");
}
