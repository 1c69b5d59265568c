import { BronError } from "@bron/core";
import type { calendar_v3 } from "@googleapis/calendar";
import { readFromGoogle, type Caller } from "../google/call-google.ts";
import type { CalendarParts } from "./calendar-parts.ts";

/** The zone that the owner keeps this calendar in. */
export async function zoneOf(parts: CalendarParts, caller: Caller, calendarId: string): Promise<string> {
  const { timeZone } = await readFromGoogle(parts, caller, ({ calendar }, options) => calendar.events.list({ calendarId, maxResults: 1, fields: "timeZone" }, options));
  return timeZone ?? "UTC";
}

/** Undefined if there is none; a deleted one may still be there, as cancelled. */
export async function readEvent(parts: CalendarParts, caller: Caller, { calendarId, eventId }: { readonly calendarId: string; readonly eventId: string }): Promise<calendar_v3.Schema$Event | undefined> {
  try {
    return await readFromGoogle(parts, caller, ({ calendar }, options) => calendar.events.get({ calendarId, eventId }, options));
  } catch (error) {
    if (BronError.is(error, "not_found")) return undefined;
    throw error;
  }
}
