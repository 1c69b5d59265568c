import {
  actionFailure,
  type EffectContext,
  type Reconciliation,
  type ToolContext,
} from "@bron/core";
import { omitUndefined, type FormReads, type JsonObject } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import type { z } from "zod";
import { changeAtGoogle, type Caller } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import { areSame, readChangedOccurrences, toChangedOccurrences } from "./changed-occurrences.ts";
import { isMarkedWith } from "./effect-mark.ts";
import type { createInput, updateInput } from "./event-input.ts";
import { toEventView } from "./event-view.ts";
import { prepareEvent, type PreparedEvent } from "./prepared-event.ts";
import { prepareUpdate, type PreparedUpdate } from "./prepared-update.ts";
import { readsOf } from "./text-of-others.ts";
import {
  asNotDone,
  isRejectedVersion,
  readEvent,
  readEventToChange,
  statusOf,
  writableZoneOf,
} from "./read-events.ts";
import { keepEvent } from "./restore-event.ts";

type Event = calendar_v3.Schema$Event;

interface PreparedChange<Form> {
  readonly prepared: Form;
  readonly preview: string;
  readonly reads?: FormReads;
}

export async function planInsert(
  deps: CalendarDeps,
  input: z.output<typeof createInput>,
  context: ToolContext,
): Promise<PreparedChange<PreparedEvent>> {
  const { account } = await deps.accounts.access(context.ownerId);
  return await withKnownPeople(
    deps,
    context,
    prepareEvent(input, { account, zone: await writableZoneOf(deps, context, input.calendarId) }),
  );
}

export async function planUpdate(
  deps: CalendarDeps,
  input: z.output<typeof updateInput>,
  context: ToolContext,
): Promise<PreparedChange<PreparedUpdate>> {
  const { account } = await deps.accounts.access(context.ownerId);
  const found = await readEventToChange(deps, context, input);
  const change = prepareUpdate(input, { account, now: deps.clock.now(), ...found });
  return {
    ...(await withKnownPeople(deps, context, change)),
    ...omitUndefined({ reads: readsOf(found.event, change.prepared.existing) }),
  };
}

async function withKnownPeople<Form extends PreparedEvent>(
  { knownPeople }: CalendarDeps,
  context: ToolContext,
  { prepared, preview }: PreparedChange<Form>,
): Promise<PreparedChange<Form>> {
  return { prepared: { ...prepared, known: await knownPeople(context, prepared.guests) }, preview };
}

/**
 * The event id is our own random value, so an existing event with this id comes from an earlier
 * attempt of the same effect.
 */
export async function insertEvent(
  deps: CalendarDeps,
  prepared: PreparedEvent,
  context: EffectContext,
): Promise<JsonObject> {
  const caller = callerFor(prepared, context);
  const { calendarId, notify, event } = prepared;
  await context.requireApproval();
  try {
    const request = { calendarId, sendUpdates: notify ? "all" : "none", requestBody: event };
    return show(
      await changeAtGoogle(deps, caller, ({ calendar }, options) =>
        calendar.events.insert(request, options),
      ),
      context,
    );
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    return show(await requireEvent(readEvent(deps, caller, prepared)), context);
  }
}

/**
 * A late request does no harm, because the next attempt has the same id and Google rejects one of
 * the two.
 */
export async function reconcileInsert(
  deps: CalendarDeps,
  prepared: PreparedEvent,
  context: EffectContext,
): Promise<Reconciliation> {
  const found = await searchRepeatedly(deps, prepared, context, (event) => event !== undefined);
  return found ? { state: "done", output: show(found, context) } : { state: "not_done" };
}

/**
 * Changes the event only if it is still as the owner saw it. If-Match lets at most one attempt
 * through, and none after another change. Occurrences are checked right before.
 */
export async function patchEvent(
  deps: CalendarDeps,
  prepared: PreparedUpdate,
  context: EffectContext,
): Promise<JsonObject> {
  const caller = callerFor(prepared, context);
  const { calendarId, eventId, etag, notify, event } = prepared;
  const occurrences = await asNotDone(() => readChangedOccurrences(deps, caller, prepared));
  if (!areSame(toChangedOccurrences(occurrences), prepared.occurrences))
    return await resolveConflict(deps, prepared, context);
  await keepEvent(deps, prepared, context);
  await context.requireApproval();
  try {
    const request = {
      calendarId,
      eventId,
      sendUpdates: notify ? "all" : "none",
      requestBody: event,
    };
    return show(
      await changeAtGoogle(deps, caller, ({ calendar }, options) =>
        calendar.events.patch(request, { ...options, headers: { "If-Match": etag } }),
      ),
      context,
    );
  } catch (error) {
    if (!isRejectedVersion(error)) throw error;
    return await resolveConflict(deps, prepared, context);
  }
}

/**
 * Handles an event that differs from what the owner saw. Either an earlier attempt of this effect
 * changed it, or another change happened.
 */
async function resolveConflict(
  deps: CalendarDeps,
  prepared: PreparedUpdate,
  context: EffectContext,
): Promise<JsonObject> {
  const now = await readEvent(deps, callerFor(prepared, context), prepared);
  if (now && isMarkedWith(prepared.mark, now)) return show(now, context);
  throw actionFailure("effect_not_done", { code: "event_changed" }, { details: { changed: true } });
}

/**
 * Our mark stays on the event through later changes. If it is missing, our change did not happen.
 */
export async function reconcilePatch(
  deps: CalendarDeps,
  prepared: PreparedUpdate,
  context: EffectContext,
): Promise<Reconciliation> {
  const found = await searchRepeatedly(
    deps,
    prepared,
    context,
    (event) => event !== undefined && isMarkedWith(prepared.mark, event),
  );
  return found ? { state: "done", output: show(found, context) } : { state: "not_done" };
}

async function searchRepeatedly(
  deps: CalendarDeps,
  prepared: PreparedEvent,
  context: EffectContext,
  isIt: (event: Event | undefined) => boolean,
): Promise<Event | undefined> {
  for (const pause of deps.times.searchDelaysMs) {
    await deps.clock.sleep(pause, context.signal);
    const event = await readEvent(deps, callerFor(prepared, context), prepared);
    if (isIt(event)) return event;
  }
  return undefined;
}

function callerFor({ account }: PreparedEvent, { ownerId, signal }: EffectContext): Caller {
  return { ownerId, signal, account };
}

async function requireEvent(event: Promise<Event | undefined>): Promise<Event> {
  const found = await event;
  if (!found) throw actionFailure("tool_failed", { code: "event_not_returned" });
  return found;
}

function show(event: Event, context: EffectContext): JsonObject {
  const { eventId, summary, start, end, allDay, location, guests, status } = toEventView(event);
  context.showCard("CalendarEventCard", {
    eventId,
    summary,
    start,
    end,
    allDay,
    location,
    guests: guests.map(({ email }) => email),
    status,
  });
  return {
    eventId,
    summary,
    start,
    end,
    allDay,
    status,
    guests: guests.map(({ email }) => email),
    link: event.htmlLink ?? "",
  };
}
