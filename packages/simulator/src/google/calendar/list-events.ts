import { omitUndefined } from "@bron/protocol";
import {
  calendarError,
  emptyTimeRange,
  fullSyncRequired,
  invalidParameter,
} from "./calendar-error.ts";
import {
  openCalendar,
  readFlag,
  readTimeParameter,
  readTimeZone,
  type CalendarCall,
} from "./calendar-method.ts";
import type { Calendar } from "./calendars.ts";
import { epochOf } from "./event-time.ts";
import { canceledInstance, eventResource } from "./event-resource.ts";
import { instancesOf, overlaps, type Window } from "./instances.ts";
import { matchEvents } from "./match-events.ts";
import { pageItems } from "./page-items.ts";
import { isSeries, type StoredEvent } from "./stored-event.ts";

/** Parameters that cannot be combined with a sync token. */
const unsyncable = [
  "iCalUID",
  "orderBy",
  "privateExtendedProperty",
  "q",
  "sharedExtendedProperty",
  "timeMin",
  "timeMax",
  "updatedMin",
];
const defaultReminders = [{ method: "popup", minutes: 10 }];

interface Listing {
  readonly window: Window;
  readonly isExpanded: boolean;
  readonly showDeleted: boolean;
  /** Milliseconds since 1970. Later changes are listed, including deletions. */
  readonly updatedMin: number | undefined;
  /** The last change that the caller has seen. */
  readonly since: number | undefined;
}

export function listEvents(call: CalendarCall): unknown {
  const { query, now } = call;
  const { calendar, role } = openCalendar(call.state, call.account.address, call.params.calendarId);
  const isExpanded = readFlag(query, "singleEvents");
  const orderBy = query.get("orderBy");
  if (orderBy !== null && orderBy !== "startTime" && orderBy !== "updated")
    throw invalidParameter(
      "orderBy",
      `Invalid string value: '${orderBy}'. Allowed values: [startTime, updated]`,
    );
  if (orderBy === "startTime" && !isExpanded)
    throw calendarError(400, "The requested ordering is not available for the particular query.", {
      reason: "badRequest",
    });
  const timeZone = readTimeZone(query, calendar.timeZone);
  const listing: Listing = {
    window: readWindow(query),
    isExpanded,
    showDeleted: readFlag(query, "showDeleted"),
    updatedMin: readTimeParameter(query, "updatedMin"),
    since: readSyncToken(query, calendar),
  };
  const matches = matchEvents(query);
  const found = selectEvents(calendar, listing).filter(matches);
  const position = (event: StoredEvent, at: number) =>
    orderBy === "startTime"
      ? epochOf(event.start, calendar.timeZone)
      : orderBy === "updated"
        ? event.updated
        : at;
  const { items, nextPageToken } = pageItems(
    found.map((event, at) => ({ id: event.id, position: position(event, at), event })),
    query,
    250,
    2_500,
  );
  const updated = Math.max(0, ...calendar.events().map((event) => event.updated)) || now.getTime();
  return {
    kind: "calendar#events",
    etag: `"p${calendar.changes()}"`,
    summary: calendar.facts.summary,
    ...omitUndefined({ description: calendar.facts.description }),
    updated: new Date(updated).toISOString(),
    timeZone,
    accessRole: role,
    defaultReminders: calendar.facts.primaryOf === call.account.address ? defaultReminders : [],
    ...(nextPageToken === undefined ? syncToken(query, calendar) : { nextPageToken }),
    items: items.map(({ event }) =>
      isBareCancellation(event, listing)
        ? canceledInstance(event, timeZone)
        : eventResource(event, { calendar: calendar.facts, role, timeZone }),
    ),
  };
}

function readWindow(query: URLSearchParams): Window {
  const [from = -Infinity, to = Infinity] = [
    readTimeParameter(query, "timeMin"),
    readTimeParameter(query, "timeMax"),
  ];
  if (to <= from) throw emptyTimeRange();
  return { from, to };
}

function selectEvents(calendar: Calendar, listing: Listing): StoredEvent[] {
  const { window, isExpanded } = listing;
  const isChanged = ({ id, recurringEventId }: StoredEvent) =>
    listing.since === undefined ||
    calendar.changeOf(id) > listing.since ||
    (isExpanded &&
      recurringEventId !== undefined &&
      calendar.changeOf(recurringEventId) > listing.since);
  return calendar.events().flatMap((stored) => {
    const series =
      stored.recurringEventId === undefined ? undefined : calendar.event(stored.recurringEventId);
    if (isExpanded && isSeries(stored))
      return instancesOf(calendar, stored, window).filter(
        (instance) => isChanged(instance) && isShown(instance, listing),
      );
    // The expansion of a series already includes its exceptions.
    if (series && (isExpanded || series.status === "cancelled")) return [];
    const isInside = isSeries(stored)
      ? instancesOf(calendar, stored, window).length > 0
      : overlaps(stored, window, calendar.timeZone);
    return isInside && isChanged(stored) && isShown(stored, listing) ? [stored] : [];
  });
}

function isShown(event: StoredEvent, listing: Listing): boolean {
  const { updatedMin, since, showDeleted } = listing;
  if (updatedMin !== undefined && event.updated < updatedMin) return false;
  return (
    event.status !== "cancelled" ||
    showDeleted ||
    updatedMin !== undefined ||
    since !== undefined ||
    isBareCancellation(event, listing)
  );
}

/** Without expansion, the caller needs to know which instances are canceled. */
function isBareCancellation(
  { status, recurringEventId }: StoredEvent,
  { isExpanded, showDeleted }: Listing,
): boolean {
  return status === "cancelled" && recurringEventId !== undefined && !isExpanded && !showDeleted;
}

function readSyncToken(query: URLSearchParams, calendar: Calendar): number | undefined {
  const token = query.get("syncToken");
  if (token === null) return undefined;
  const other = unsyncable.find((name) => query.has(name));
  if (other !== undefined)
    throw calendarError(400, `Sync token cannot be used together with ${other}.`, {
      reason: "badRequest",
    });
  const [, changes, calendarId] =
    /^sync:(\d+):(.+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (
    changes === undefined ||
    calendarId !== calendar.facts.id ||
    Number(changes) > calendar.changes()
  )
    throw fullSyncRequired();
  return Number(changes);
}

/** Returned with the last page if the list can be synchronized. */
function syncToken(
  query: URLSearchParams,
  calendar: Calendar,
): { readonly nextSyncToken?: string } {
  if (
    [
      "orderBy",
      "q",
      "iCalUID",
      "updatedMin",
      "privateExtendedProperty",
      "sharedExtendedProperty",
    ].some((name) => query.has(name))
  )
    return {};
  return {
    nextSyncToken: Buffer.from(`sync:${calendar.changes()}:${calendar.facts.id}`).toString(
      "base64url",
    ),
  };
}
