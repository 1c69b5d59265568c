import { BronError, type ToolContext } from "@bron/core";
import { omitUndefined, type JsonObject } from "@bron/protocol";
import type { z } from "zod";
import { readFromGoogle } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import type { searchInput } from "./event-input.ts";
import { addDays, checkZone, dayBounds, dayIn, readTime } from "./event-time.ts";
import { toEventView } from "./event-view.ts";
import { zoneOf } from "./read-events.ts";

type SearchInput = z.output<typeof searchInput>;

const aheadDays = 14;
/** A text search covers more time than a list of the coming days. */
const textSearchBackDays = 90;
const textSearchAheadDays = 365;

export async function searchEvents(
  deps: CalendarDeps,
  input: SearchInput,
  context: ToolContext,
): Promise<JsonObject> {
  const zone = input.timeZone ?? (await zoneOf(deps, context, input.calendarId));
  checkZone(zone);
  const { timeMin, timeMax } = boundsOf(input, zone, deps.clock.now());
  const request = {
    calendarId: input.calendarId,
    timeMin,
    timeMax,
    timeZone: zone,
    singleEvents: true,
    orderBy: "startTime",
    maxResults: input.maxResults,
    ...(input.query === "" ? {} : { q: input.query }),
    ...omitUndefined({ pageToken: input.page }),
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
          hint: "There are more events. Pass nextPage as page with the same from, to and query, or search a shorter period.",
        }
      : {}),
    events,
  };
}

function boundsOf(
  { query, from, to }: SearchInput,
  zone: string,
  now: number,
): { timeMin: string; timeMax: string } {
  const today = dayIn(zone, now);
  const timeMin =
    from === undefined
      ? dayBounds(
          query === "" || to !== undefined ? today : addDays(today, -textSearchBackDays),
          zone,
        ).from
      : edge("from", from, zone).from;
  const last = addDays(
    timeMin.slice(0, 10),
    query === "" || from !== undefined ? aheadDays - 1 : textSearchBackDays + textSearchAheadDays,
  );
  const timeMax = to === undefined ? dayBounds(last, zone).to : edge("to", to, zone).to;
  if (Date.parse(timeMax) <= Date.parse(timeMin))
    throw new BronError("invalid_arguments", "The end must be after the start.");
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
