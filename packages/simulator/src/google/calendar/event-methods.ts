import { omitUndefined } from "@bron/protocol";
import { calendarScopes } from "../oauth/scopes.ts";
import { calendarNotFound, invalidParameter } from "./calendar-error.ts";
import {
  actorOf,
  openCalendar,
  readFlag,
  readTimeParameter,
  readTimeZone,
  type CalendarCall,
  type CalendarMethod,
} from "./calendar-method.ts";
import { deleteEvent, insertEvent, patchEvent, updateEvent } from "./change-event.ts";
import { eventResource } from "./event-resource.ts";
import { writeEventTime } from "./event-time.ts";
import { findEvent, instancesOf } from "./instances.ts";
import { listEvents } from "./list-events.ts";
import { pageItems } from "./page-items.ts";
import { isSeries } from "./stored-event.ts";

const { all, readonly: read, events, eventsReadonly } = calendarScopes;
const readers = [all, read, events, eventsReadonly];
const writers = [all, events];
const writing = [
  "conferenceDataVersion",
  "eventLabelVersion",
  "maxAttendees",
  "sendNotifications",
  "sendUpdates",
  "supportsAttachments",
];
const path = "/calendars/{calendarId}/events";

export const eventMethods: readonly CalendarMethod[] = [
  {
    name: "calendar.events.list",
    verb: "GET",
    path,
    scopes: readers,
    query: [
      "alwaysIncludeEmail",
      "eventTypes",
      "iCalUID",
      "maxAttendees",
      "maxResults",
      "orderBy",
      "pageToken",
      "privateExtendedProperty",
      "q",
      "sharedExtendedProperty",
      "showDeleted",
      "showHiddenInvitations",
      "singleEvents",
      "syncToken",
      "timeMax",
      "timeMin",
      "timeZone",
      "updatedMin",
    ],
    serve: listEvents,
  },
  {
    name: "calendar.events.insert",
    verb: "POST",
    path,
    scopes: writers,
    query: writing,
    serve: (call) => insertEvent(call.state, actorOf(call), call.body),
  },
  {
    name: "calendar.events.get",
    verb: "GET",
    path: `${path}/{eventId}`,
    scopes: readers,
    query: ["alwaysIncludeEmail", "maxAttendees", "timeZone"],
    serve: (call) => {
      const { calendar, role } = openCalendar(
        call.state,
        call.account.address,
        call.params.calendarId,
      );
      const event = findEvent(calendar, call.params.eventId ?? "");
      if (!event) throw calendarNotFound();
      return eventResource(event, {
        calendar: calendar.facts,
        role,
        timeZone: readTimeZone(call.query, calendar.timeZone),
      });
    },
  },
  {
    name: "calendar.events.patch",
    verb: "PATCH",
    path: `${path}/{eventId}`,
    scopes: writers,
    query: ["alwaysIncludeEmail", ...writing],
    serve: (call) => patchEvent(call.state, actorOf(call), nameOf(call), call.body),
  },
  {
    name: "calendar.events.update",
    verb: "PUT",
    path: `${path}/{eventId}`,
    scopes: writers,
    query: ["alwaysIncludeEmail", ...writing],
    serve: (call) => updateEvent(call.state, actorOf(call), nameOf(call), call.body),
  },
  {
    name: "calendar.events.delete",
    verb: "DELETE",
    path: `${path}/{eventId}`,
    scopes: writers,
    query: ["sendNotifications", "sendUpdates"],
    serve: (call) => deleteEvent(call.state, actorOf(call), nameOf(call)),
  },
  {
    name: "calendar.events.instances",
    verb: "GET",
    path: `${path}/{eventId}/instances`,
    scopes: readers,
    query: [
      "alwaysIncludeEmail",
      "maxAttendees",
      "maxResults",
      "originalStart",
      "pageToken",
      "showDeleted",
      "timeMax",
      "timeMin",
      "timeZone",
    ],
    serve: listInstances,
  },
];

const nameOf = ({ params, ifMatch }: CalendarCall) => ({ eventId: params.eventId ?? "", ifMatch });

function listInstances(call: CalendarCall): unknown {
  const { query, params } = call;
  const { calendar, role } = openCalendar(call.state, call.account.address, params.calendarId);
  const series = calendar.event(params.eventId ?? "");
  if (!series) throw calendarNotFound();
  if (!isSeries(series))
    throw invalidParameter("eventId", "The requested event is not a recurring event.");
  const timeZone = readTimeZone(query, calendar.timeZone);
  const [showDeleted, originalStart] = [readFlag(query, "showDeleted"), query.get("originalStart")];
  const [from = -Infinity, to = Infinity] = [
    readTimeParameter(query, "timeMin"),
    readTimeParameter(query, "timeMax"),
  ];
  const found = instancesOf(calendar, series, { from, to }).filter((instance) => {
    const { date, dateTime } = instance.originalStart
      ? writeEventTime(instance.originalStart, timeZone)
      : {};
    return (
      (showDeleted || instance.status !== "cancelled") &&
      (originalStart === null || originalStart === (date ?? dateTime))
    );
  });
  const { items, nextPageToken } = pageItems(
    found.map((event, position) => ({ id: event.id, position, event })),
    query,
    250,
    2_500,
  );
  return {
    kind: "calendar#events",
    etag: `"p${calendar.changes()}"`,
    summary: calendar.facts.summary,
    updated: new Date(series.updated).toISOString(),
    timeZone,
    accessRole: role,
    defaultReminders: [],
    ...omitUndefined({ nextPageToken }),
    items: items.map(({ event }) =>
      eventResource(event, { calendar: calendar.facts, role, timeZone }),
    ),
  };
}
