import { actionFailure, BronError, notDoneFailure } from "@bron/core";
import type { calendar_v3 } from "@googleapis/calendar";
import { readFromGoogle, type Caller } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import { readChangedOccurrences, seriesUid } from "./changed-occurrences.ts";

/** The time zone of this calendar. */
export async function zoneOf(
  deps: CalendarDeps,
  caller: Caller,
  calendarId: string,
): Promise<string> {
  return (await readCalendar(deps, caller, calendarId)).zone;
}

/**
 * The time zone of a calendar that will be changed. Throws forbidden if the account cannot change
 * it, because Google would reject the change after the owner approved it.
 */
export async function writableZoneOf(
  deps: CalendarDeps,
  caller: Caller,
  calendarId: string,
): Promise<string> {
  const { zone, role } = await readCalendar(deps, caller, calendarId);
  if (!writerRoles.has(role))
    throw actionFailure("forbidden", { code: "calendar_read_only", calendarId });
  return zone;
}

const writerRoles = new Set(["owner", "writer", "writerWithoutPrivateAccess"]);

/** Reads a page of events, because reading the calendar itself would need another scope. */
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

/** The event that a change needs, and its context. All of it is shown to the owner. */
export interface EventToChange {
  readonly event: calendar_v3.Schema$Event;
  /** Occurrences of a series that were changed or canceled individually. */
  readonly occurrences: readonly calendar_v3.Schema$Event[];
  /** Zone of the calendar. */
  readonly zone: string;
}

/**
 * Reads an event before a change. Throws not_found if the event does not exist or was deleted, and
 * forbidden if the calendar is read-only.
 */
export async function readEventToChange(
  deps: CalendarDeps,
  caller: Caller,
  ref: { readonly calendarId: string; readonly eventId: string },
): Promise<EventToChange> {
  const event = await readEvent(deps, caller, ref);
  if (!event || event.status === "cancelled")
    throw actionFailure("not_found", { code: "event_missing", eventId: ref.eventId });
  const [occurrences, zone] = await Promise.all([
    readChangedOccurrences(deps, caller, { ...ref, iCalUID: seriesUid(event) }),
    writableZoneOf(deps, caller, ref.calendarId),
  ]);
  return { event, occurrences, zone };
}

/**
 * Undefined if the event does not exist. A deleted event may still be returned with the status
 * "cancelled".
 */
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

/** The status with which Google rejected a change. */
export function statusOf(error: unknown): unknown {
  return BronError.is(error, "effect_not_done") ? error.details["status"] : undefined;
}

/** Google changed nothing, because the event is no longer the version of `If-Match`. */
export function isRejectedVersion(error: unknown): boolean {
  return statusOf(error) === 412;
}

/** Reports a failed read as retryable, because nothing has been changed yet. */
export async function asNotDone<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (BronError.is(error, "effect_not_done") || BronError.is(error, "missing_credentials"))
      throw error;
    throw notDoneFailure(error, { retryable: true });
  }
}
