import { omitUndefined } from "@bron/protocol";
import { calendarScopes } from "../oauth/scopes.ts";
import { accessRoles, mayDo, type CalendarFacts } from "./calendar-facts.ts";
import { calendarNotFound, invalidParameter } from "./calendar-error.ts";
import { openCalendar, type CalendarCall, type CalendarMethod } from "./calendar-method.ts";
import { queryFreeBusy } from "./free-busy.ts";
import { pageItems } from "./page-items.ts";

const { all, readonly: read, freebusy, calendarListReadonly, settingsReadonly } = calendarScopes;

const settings: Readonly<Record<string, string>> = {
  dateFieldOrder: "DMY",
  defaultEventLength: "60",
  format24HourTime: "true",
  hideWeekends: "false",
  locale: "en",
  showDeclinedEvents: "true",
  timezone: "Europe/Berlin",
  weekStart: "1",
};

export const accountMethods: readonly CalendarMethod[] = [
  {
    name: "calendar.calendarList.list",
    verb: "GET",
    path: "/users/me/calendarList",
    scopes: [all, read, calendarListReadonly],
    query: [
      "maxResults",
      "minAccessRole",
      "pageToken",
      "showDeleted",
      "showHidden",
      "showOwnOrganizationOnly",
      "syncToken",
    ],
    serve: listCalendars,
  },
  {
    name: "calendar.calendarList.get",
    verb: "GET",
    path: "/users/me/calendarList/{calendarId}",
    scopes: [all, read, calendarListReadonly],
    serve: ({ state, account, params }) => {
      const { calendar } = openCalendar(state, account.address, params.calendarId);
      if (!Object.hasOwn(calendar.facts.members, account.address)) throw calendarNotFound();
      return listEntry(calendar.facts, account.address);
    },
  },
  {
    name: "calendar.calendars.get",
    verb: "GET",
    path: "/calendars/{calendarId}",
    scopes: [all, read],
    serve: ({ state, account, params }) => {
      const { id, summary, description, timeZone } = openCalendar(
        state,
        account.address,
        params.calendarId,
      ).calendar.facts;
      return {
        kind: "calendar#calendar",
        etag: etagOf(id),
        id,
        summary,
        ...omitUndefined({ description }),
        timeZone,
        conferenceProperties,
      };
    },
  },
  {
    name: "calendar.freebusy.query",
    verb: "POST",
    path: "/freeBusy",
    scopes: [all, read, freebusy],
    serve: queryFreeBusy,
  },
  {
    name: "calendar.settings.list",
    verb: "GET",
    path: "/users/me/settings",
    scopes: [all, read, settingsReadonly],
    query: ["maxResults", "pageToken", "syncToken"],
    serve: ({ query }) => {
      const { items, nextPageToken } = pageItems(
        Object.keys(settings).map((id, position) => ({ id, position })),
        query,
        100,
        250,
      );
      return {
        kind: "calendar#settings",
        etag: etagOf("settings"),
        ...omitUndefined({ nextPageToken }),
        items: items.map(({ id }) => setting(id)),
      };
    },
  },
  {
    name: "calendar.settings.get",
    verb: "GET",
    path: "/users/me/settings/{setting}",
    scopes: [all, read, settingsReadonly],
    serve: ({ params }) => {
      if (!Object.hasOwn(settings, params.setting ?? "")) throw calendarNotFound();
      return setting(params.setting ?? "");
    },
  },
];

const conferenceProperties = { allowedConferenceSolutionTypes: ["hangoutsMeet"] };

const setting = (id: string) => ({
  kind: "calendar#setting",
  etag: etagOf(id),
  id,
  value: settings[id],
});

function listCalendars({ state, account, query }: CalendarCall): unknown {
  const least = accessRoles.find(
    (role) => role === (query.get("minAccessRole") ?? "freeBusyReader"),
  );
  if (least === undefined)
    throw invalidParameter(
      "minAccessRole",
      `Invalid string value: '${query.get("minAccessRole") ?? ""}'. Allowed values: [${accessRoles.join(", ")}]`,
    );
  const listed = state
    .calendars()
    .all()
    .flatMap(({ facts }, position) => {
      const role = facts.members[account.address];
      return role !== undefined && mayDo(role, least) ? [{ id: facts.id, position, facts }] : [];
    });
  const { items, nextPageToken } = pageItems(listed, query, 100, 250);
  return {
    kind: "calendar#calendarList",
    etag: etagOf(account.address),
    ...omitUndefined({ nextPageToken }),
    items: items.map(({ facts }) => listEntry(facts, account.address)),
  };
}

function listEntry(facts: CalendarFacts, address: string): unknown {
  const isPrimary = facts.primaryOf === address;
  return {
    kind: "calendar#calendarListEntry",
    etag: etagOf(facts.id),
    id: facts.id,
    summary: facts.summary,
    ...omitUndefined({ description: facts.description }),
    timeZone: facts.timeZone,
    colorId: facts.colorId,
    backgroundColor: facts.backgroundColor,
    foregroundColor: "#000000",
    selected: true,
    accessRole: facts.members[address],
    defaultReminders: isPrimary ? [{ method: "popup", minutes: 10 }] : [],
    ...(isPrimary ? { primary: true } : {}),
    conferenceProperties,
  };
}

const etagOf = (id: string) => `"${Buffer.from(id).toString("base64url")}"`;
