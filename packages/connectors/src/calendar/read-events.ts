import { BronError } from "@bron/core";
import type { calendar_v3 } from "@googleapis/calendar";
import { readFromGoogle, type Caller } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import { readChangedOccurrences, seriesUid } from "./changed-occurrences.ts";

/** The zone that the owner keeps this calendar in. */
export async function zoneOf(
  deps: CalendarDeps,
  caller: Caller,
  calendarId: string,
): Promise<string> {
  return (await readCalendar(deps, caller, calendarId)).zone;
}

/** The same of a calendar that is to be changed: Google would refuse it, after a person has decided. Throws forbidden. */
export async function writableZoneOf(
  deps: CalendarDeps,
  caller: Caller,
  calendarId: string,
): Promise<string> {
  const { zone, role } = await readCalendar(deps, caller, calendarId);
  if (!writers.has(role))
    throw new BronError(
      "forbidden",
      `The calendar ${calendarId} can only be read by this account. Use another one, or ask its owner for the right to change events.`,
    );
  return zone;
}

const writers = new Set(["owner", "writer", "writerWithoutPrivateAccess"]);

/** By its list of events, which needs no further scope. */
async function readCalendar(
  deps: CalendarDeps,
  caller: Caller,
  calendarId: string,
): Promise<{ readonly zone: string; readonly role: string }> {
  const { timeZone, accessRole } = await readFromGoogle(deps, caller, ({ calendar }, options) =>
    calendar.events.list({ calendarId, maxResults: 1, fields: "timeZone,accessRole" }, options),
  );
  return { zone: timeZone ?? "UTC", role: accessRole ?? "" };
}

/** What a change has to know: all of it is shown. */
export interface Changeable {
  readonly event: calendar_v3.Schema$Event;
  /** Those of a series that were changed or called off by themselves. */
  readonly occurrences: readonly calendar_v3.Schema$Event[];
  /** Of the calendar. */
  readonly zone: string;
}

/** Throws not_found for what is not in the calendar, or no longer; forbidden for what can only be read. */
export async function readChangeable(
  deps: CalendarDeps,
  caller: Caller,
  name: { readonly calendarId: string; readonly eventId: string },
): Promise<Changeable> {
  const event = await readEvent(deps, caller, name);
  if (!event || event.status === "cancelled")
    throw new BronError("not_found", `There is no event ${name.eventId} any more. Search for it.`);
  const [occurrences, zone] = await Promise.all([
    readChangedOccurrences(deps, caller, { ...name, iCalUID: seriesUid(event) }),
    writableZoneOf(deps, caller, name.calendarId),
  ]);
  return { event, occurrences, zone };
}

/** Undefined if there is none; a deleted one may still be there, as cancelled. */
export async function readEvent(
  deps: CalendarDeps,
  caller: Caller,
  { calendarId, eventId }: { readonly calendarId: string; readonly eventId: string },
): Promise<calendar_v3.Schema$Event | undefined> {
  try {
    return await readFromGoogle(deps, caller, ({ calendar }, options) =>
      calendar.events.get({ calendarId, eventId }, options),
    );
  } catch (error) {
    if (BronError.is(error, "not_found")) return undefined;
    throw error;
  }
}
