import { normalizeAddress, type ToolContext } from "@bron/core";
import { omitUndefined, type FormReads, type JsonObject } from "@bron/protocol";
import type { CalendarDeps } from "./calendar-deps.ts";
import { fieldsOf, isObject, type EventChanges } from "./edit-event.ts";
import { createInput, updateInput } from "./event-input.ts";
import { dayBefore, readTime } from "./event-time.ts";
import { toEventView } from "./event-view.ts";
import { withSameLength, prepareEvent, readEnd, type PreparedEvent } from "./prepared-event.ts";
import { prepareUpdate, type PreparedUpdate } from "./prepared-update.ts";
import { readsOf } from "./text-of-others.ts";
import { readEventToChange, writableZoneOf } from "./read-events.ts";

interface PreparedChange<Form> {
  readonly prepared: Form;
  readonly preview: string;
  readonly reads?: FormReads;
}

/**
 * Prepares a new event with the owner's edits. It gets a new id, because the version that was shown
 * is never created.
 */
export async function planEditedInsert(
  deps: CalendarDeps,
  shown: PreparedEvent,
  changes: EventChanges,
  context: ToolContext,
): Promise<PreparedChange<PreparedEvent>> {
  const { account, calendarId, event } = shown;
  const caller = { ...context, account };
  const zone = await writableZoneOf(deps, caller, calendarId);
  const input = createInput.parse({
    ...fieldsOf(event),
    ...changes,
    ...spanOf(event, changes, zone),
    ...ruleOf(event),
    calendarId,
    notifyGuests: notifies(shown),
  });
  const { prepared, preview } = prepareEvent(input, { account, zone });
  return {
    prepared: { ...prepared, known: await deps.knownPeople(caller, prepared.guests) },
    preview,
  };
}

/** Prepares the edited change against the event as it is now. */
export async function planEditedUpdate(
  deps: CalendarDeps,
  shown: PreparedUpdate,
  changes: EventChanges,
  context: ToolContext,
): Promise<PreparedChange<PreparedUpdate>> {
  const { account, calendarId, eventId } = shown;
  const caller = { ...context, account };
  const found = await readEventToChange(deps, caller, shown);
  const { guests: shownGuests, ...fields } = fieldsOf(shown.event);
  const { guests, ...others } = changes;
  const { addGuests, removeGuests } = guests
    ? editedGuests(shown.asked, {
        was: shownGuests ?? toEventView(found.event).guests.map(({ email }) => email),
        wanted: guests,
      })
    : shown.asked;
  const currentGuests = (found.event.attendees ?? []).flatMap(({ email }) => email ?? []);
  const input = updateInput.parse({
    ...fields,
    ...others,
    ...spanOf(shown.event, changes, found.zone),
    recurrence: shown.asked.recurrence,
    addGuests,
    removeGuests: removeGuests.filter((guest) => isAmong(currentGuests, guest)),
    eventId,
    calendarId,
    notifyGuests: notifies(shown),
  });
  const { prepared, preview } = prepareUpdate(input, { account, now: deps.clock.now(), ...found });
  return {
    prepared: { ...prepared, known: await deps.knownPeople(caller, prepared.guests) },
    preview,
    ...omitUndefined({ reads: readsOf(found.event, prepared.existing) }),
  };
}

/** If the shown version had no guests to notify, guests whom the edit adds are notified. */
function notifies({ notify, guests }: PreparedEvent): boolean {
  return notify || guests.length === 0;
}

/** A new start without a new end keeps the length. */
function spanOf(event: JsonObject, { start, end }: EventChanges, zone: string): JsonObject {
  const was = fieldsOf(event);
  const timeZone = zoneIn(event) ?? zone;
  const inZone = zoneIn(event) === undefined ? {} : { timeZone };
  if (start === undefined || end !== undefined || was.start === undefined || was.end === undefined)
    return start === undefined && was.start === undefined ? {} : inZone;
  const begins = readTime("start", start, timeZone);
  const ends = withSameLength(
    begins,
    readTime("start", was.start, timeZone),
    readEnd(was.end, timeZone),
  );
  return { ...inZone, end: "date" in ends ? dayBefore(ends.date) : ends.dateTime };
}

function zoneIn({ start }: JsonObject): string | undefined {
  const zone = isObject(start) ? start["timeZone"] : undefined;
  return typeof zone === "string" ? zone : undefined;
}

function ruleOf({ recurrence }: JsonObject): { recurrence?: string } {
  const rule = Array.isArray(recurrence) ? recurrence[0] : undefined;
  return typeof rule === "string" ? { recurrence: rule } : {};
}

/**
 * Applies the owner's edits of the guest list on top of the requested ones. Guests who were added
 * or removed elsewhere in the meantime stay that way.
 */
function editedGuests(
  { addGuests, removeGuests }: GuestChanges,
  { was, wanted }: { readonly was: readonly string[]; readonly wanted: readonly string[] },
): GuestChanges {
  return {
    addGuests: [
      ...addGuests.filter((guest) => isAmong(wanted, guest)),
      ...wanted.filter((guest) => !isAmong(was, guest)),
    ],
    removeGuests: [...removeGuests, ...was].filter((guest) => !isAmong(wanted, guest)),
  };
}

type GuestChanges = Pick<PreparedUpdate["asked"], "addGuests" | "removeGuests">;

function isAmong(guests: readonly string[], wanted: string): boolean {
  return guests.some((guest) => normalizeAddress(guest) === normalizeAddress(wanted));
}
