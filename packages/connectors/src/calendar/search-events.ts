import { BronError, type ToolContext } from "@bron/core";
import { omitUndefined, type JsonObject } from "@bron/protocol";
import type { z } from "zod";
import { readFromGoogle } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import type { searchInput } from "./event-input.ts";
import { addDays, checkZone, dayBounds, dayIn, readTime } from "./event-time.ts";
import { toEventView } from "./event-view.ts";
import { zoneOf } from "./read-events.ts";

type Wish = z.output<typeof searchInput>;

const aheadDays = 14;
/** Words are looked for further away than a glance at the coming days goes. */
const wordsBackDays = 90;
const wordsAheadDays = 365;

export async function searchEvents(
  deps: CalendarDeps,
  wish: Wish,
  context: ToolContext,
): Promise<JsonObject> {
  const zone = wish.timeZone ?? (await zoneOf(deps, context, wish.calendarId));
  checkZone(zone);
  const { timeMin, timeMax } = boundsOf(wish, zone, deps.clock.now());
  const request = {
    calendarId: wish.calendarId,
    timeMin,
    timeMax,
    timeZone: zone,
    singleEvents: true,
    orderBy: "startTime",
    maxResults: wish.maxResults,
    ...(wish.query === "" ? {} : { q: wish.query }),
    ...omitUndefined({ pageToken: wish.page }),
  };
  const { items = [], nextPageToken } = await readFromGoogle(
    deps,
    context,
    ({ calendar }, options) => calendar.events.list(request, options),
  );
  const events = items.map(toEventView);
  const shown = events.map(({ eventId, summary, start, end, allDay, location, guests }) => ({
    eventId,
    summary,
    start,
    end,
    allDay,
    location,
    guests: guests.map(({ email }) => email),
  }));
  context.showCard("CalendarEventsCard", {
    from: timeMin,
    to: timeMax,
    timeZone: zone,
    events: shown,
  });
  const isMore = nextPageToken !== undefined && nextPageToken !== null && nextPageToken !== "";
  return {
    from: timeMin,
    to: timeMax,
    timeZone: zone,
    found: events.length,
    more: isMore,
    ...(isMore
      ? {
          nextPage: nextPageToken,
          hint: "There are more: give nextPage as page with the same from, to and query, or search a shorter time.",
        }
      : {}),
    events,
  };
}

function boundsOf(
  { query, from, to }: Wish,
  zone: string,
  now: number,
): { timeMin: string; timeMax: string } {
  const today = dayIn(zone, now);
  const timeMin =
    from === undefined
      ? dayBounds(query === "" || to !== undefined ? today : addDays(today, -wordsBackDays), zone)
          .from
      : edge("from", from, zone).from;
  const last = addDays(
    timeMin.slice(0, 10),
    query === "" || from !== undefined ? aheadDays - 1 : wordsBackDays + wordsAheadDays,
  );
  const timeMax = to === undefined ? dayBounds(last, zone).to : edge("to", to, zone).to;
  if (Date.parse(timeMax) <= Date.parse(timeMin))
    throw new BronError("invalid_arguments", "It would end before it begins.");
  return { timeMin, timeMax };
}

function edge(
  what: string,
  text: string,
  zone: string,
): { readonly from: string; readonly to: string } {
  const time = readTime(what, text, zone);
  return "date" in time ? dayBounds(time.date, zone) : { from: time.dateTime, to: time.dateTime };
}
