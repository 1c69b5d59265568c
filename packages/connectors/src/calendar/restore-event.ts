import type { EffectContext, RestoreContext } from "@bron/core";
import type { JsonObject, JsonValue } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import { changeAtGoogle } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import { isMarkedWith } from "./effect-mark.ts";
import { guestsAffected } from "./guests-affected.ts";
import { isOwnCalendar } from "./own-calendar.ts";
import type { PreparedUpdate } from "./prepared-update.ts";
import { asNotDone, isRejectedVersion, readEvent } from "./read-events.ts";

type Event = calendar_v3.Schema$Event;

const textFields = ["summary", "location", "description"] as const;
const timeFields = ["start", "end"] as const;

/**
 * Keeps the fields that a change replaces. Only for an event that nobody but the owner sees: others
 * would be notified by a change and by its restoration. Nothing if it is no longer the version that
 * will be changed.
 */
export async function keepEvent(
  deps: CalendarDeps,
  prepared: PreparedUpdate,
  context: EffectContext,
): Promise<void> {
  const { account, etag, guests, event: patch } = prepared;
  const isRepeated = prepared.iCalUID !== "" || "recurrence" in patch;
  if (guests.length > 0 || isRepeated || !isOwnCalendar(prepared)) return;
  const { ownerId, signal } = context;
  const event = await asNotDone(() => readEvent(deps, { ownerId, signal, account }, prepared));
  if (!event || event.etag !== etag) return;
  await context.keepPrevious({
    name: `${nameOf(event)} (before).json`,
    mediaType: "application/json",
    bytes: new TextEncoder().encode(JSON.stringify(replacedBy(patch, event), null, 2)),
  });
}

/** Writes the fields back, if they still have what the change wrote and nobody else sees the event. */
export async function restoreEvent(
  deps: CalendarDeps,
  { account, calendarId, eventId, mark, event: patch }: PreparedUpdate,
  { previous, ownerId, signal }: RestoreContext & { readonly previous: Uint8Array },
): Promise<"restored" | "changed"> {
  const caller = { ownerId, signal, account };
  const before = JSON.parse(new TextDecoder().decode(previous)) as JsonObject;
  const event = await readEvent(deps, caller, { calendarId, eventId });
  if (!event || event.status === "cancelled" || !isOwnersAlone(event)) return "changed";
  if (hasFields(event, before)) return "restored";
  if (!isMarkedWith(mark, event) || !hasFields(event, patch)) return "changed";
  try {
    await changeAtGoogle(deps, caller, ({ calendar }, options) =>
      calendar.events.patch(
        { calendarId, eventId, sendUpdates: "none", requestBody: before },
        { ...options, headers: { "If-Match": event.etag ?? "" } },
      ),
    );
    return "restored";
  } catch (error) {
    if (isRejectedVersion(error)) return "changed";
    throw error;
  }
}

function isOwnersAlone(event: Event): boolean {
  return guestsAffected(event, undefined, []).length === 0 && !event.recurrence?.length;
}

/** The fields of a patch, as the event has them. A patch keeps what it does not name. */
function replacedBy(patch: JsonObject, event: Event): JsonObject {
  return {
    ...Object.fromEntries(
      textFields.filter((name) => name in patch).map((name) => [name, event[name] ?? ""]),
    ),
    ...Object.fromEntries(
      timeFields
        .filter((name) => name in patch)
        .map((name) => {
          const { date = null, dateTime = null, timeZone = null } = event[name] ?? {};
          return [name, { date, dateTime, timeZone }];
        }),
    ),
  };
}

/** Whether the event has these texts and times. Google may write a time in another zone. */
function hasFields(event: Event, fields: JsonObject): boolean {
  return (
    textFields.every((name) => !(name in fields) || (event[name] ?? "") === fields[name]) &&
    timeFields.every((name) => !(name in fields) || isAt(event[name], fields[name]))
  );
}

function isAt(time: Event["start"], wanted: JsonValue | undefined): boolean {
  const { date, dateTime } = (wanted ?? {}) as { date?: string | null; dateTime?: string | null };
  return date
    ? time?.date === date
    : Date.parse(time?.dateTime ?? "") === Date.parse(dateTime ?? "");
}

/** A title as the name of a file. */
function nameOf({ summary }: Event): string {
  return (summary ?? "").replaceAll(/[^\p{L}\p{N} ._-]/gu, "_").slice(0, 80) || "event";
}
