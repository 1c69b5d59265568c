import { normaliseAddress, type ToolContext } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import type { CalendarDeps } from "./calendar-deps.ts";
import { fieldsOf, isObject, type EventChanges } from "./edit-event.ts";
import { createInput, updateInput } from "./event-input.ts";
import { dayBefore, readTime } from "./event-time.ts";
import { toEventView } from "./event-view.ts";
import { keepLength, prepareEvent, readEnd, type PreparedEvent } from "./prepared-event.ts";
import { prepareUpdate, type PreparedUpdate } from "./prepared-update.ts";
import { readChangeable, writableZoneOf } from "./read-events.ts";

interface Planned<Form> {
  readonly prepared: Form;
  readonly preview: string;
}

/** A new event with the changes of its owner, under an id of its own: what was shown before was never entered. */
export async function planEditedInsert(
  deps: CalendarDeps,
  shown: PreparedEvent,
  changes: EventChanges,
  context: ToolContext,
): Promise<Planned<PreparedEvent>> {
  const { account, calendarId, event } = shown;
  const caller = { ...context, account };
  const zone = await writableZoneOf(deps, caller, calendarId);
  const wish = createInput.parse({
    ...fieldsOf(event),
    ...changes,
    ...spanOf(event, changes, zone),
    ...ruleOf(event),
    calendarId,
    notifyGuests: notifies(shown),
  });
  const { prepared, preview } = prepareEvent(wish, { account, zone });
  return {
    prepared: { ...prepared, known: await deps.knownPeople(caller, prepared.guests) },
    preview,
  };
}

/** Another change of the event as it is now. */
export async function planEditedUpdate(
  deps: CalendarDeps,
  shown: PreparedUpdate,
  changes: EventChanges,
  context: ToolContext,
): Promise<Planned<PreparedUpdate>> {
  const { account, calendarId, eventId } = shown;
  const caller = { ...context, account };
  const found = await readChangeable(deps, caller, shown);
  const { guests: shownGuests, ...fields } = fieldsOf(shown.event);
  const { guests, ...others } = changes;
  const { addGuests, removeGuests } = guests
    ? editedGuests(shown.asked, {
        was: shownGuests ?? toEventView(found.event).guests.map(({ email }) => email),
        wanted: guests,
      })
    : shown.asked;
  const there = (found.event.attendees ?? []).flatMap(({ email }) => email ?? []);
  const wish = updateInput.parse({
    ...fields,
    ...others,
    ...spanOf(shown.event, changes, found.zone),
    recurrence: shown.asked.recurrence,
    addGuests,
    removeGuests: removeGuests.filter((guest) => isAmong(there, guest)),
    eventId,
    calendarId,
    notifyGuests: notifies(shown),
  });
  const { prepared, preview } = prepareUpdate(wish, { account, now: deps.clock.now(), ...found });
  return {
    prepared: { ...prepared, known: await deps.knownPeople(caller, prepared.guests) },
    preview,
  };
}

/** Nobody was there to be written to: whoever is invited by an edit hears of it. */
function notifies({ notify, guests }: PreparedEvent): boolean {
  return notify || guests.length === 0;
}

/** A new start alone keeps the length. */
function spanOf(event: JsonObject, { start, end }: EventChanges, zone: string): JsonObject {
  const was = fieldsOf(event);
  const timeZone = zoneIn(event) ?? zone;
  const inZone = zoneIn(event) === undefined ? {} : { timeZone };
  if (start === undefined || end !== undefined || was.start === undefined || was.end === undefined)
    return start === undefined && was.start === undefined ? {} : inZone;
  const begins = readTime("start", start, timeZone);
  const ends = keepLength(
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

/** What the owner changed of the list that they saw, on top of what was asked: who came or went meanwhile stays so. */
function editedGuests(
  { addGuests, removeGuests }: GuestWish,
  { was, wanted }: { readonly was: readonly string[]; readonly wanted: readonly string[] },
): GuestWish {
  return {
    addGuests: [
      ...addGuests.filter((guest) => isAmong(wanted, guest)),
      ...wanted.filter((guest) => !isAmong(was, guest)),
    ],
    removeGuests: [...removeGuests, ...was].filter((guest) => !isAmong(wanted, guest)),
  };
}

type GuestWish = Pick<PreparedUpdate["asked"], "addGuests" | "removeGuests">;

function isAmong(guests: readonly string[], wanted: string): boolean {
  return guests.some((guest) => normaliseAddress(guest) === normaliseAddress(wanted));
}
