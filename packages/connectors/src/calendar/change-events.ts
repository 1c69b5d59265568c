import {
  BronError,
  messageOf,
  type EffectContext,
  type Reconciliation,
  type ToolContext,
} from "@bron/core";
import type { JsonObject } from "@bron/protocol";
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
import { readChangeable, readEvent, writableZoneOf } from "./read-events.ts";

type Event = calendar_v3.Schema$Event;

interface Planned<Form> {
  readonly prepared: Form;
  readonly preview: string;
}

export async function planInsert(
  deps: CalendarDeps,
  wish: z.output<typeof createInput>,
  context: ToolContext,
): Promise<Planned<PreparedEvent>> {
  const { account } = await deps.accounts.access(context.ownerId);
  return await withKnown(
    deps,
    context,
    prepareEvent(wish, { account, zone: await writableZoneOf(deps, context, wish.calendarId) }),
  );
}

export async function planUpdate(
  deps: CalendarDeps,
  wish: z.output<typeof updateInput>,
  context: ToolContext,
): Promise<Planned<PreparedUpdate>> {
  const { account } = await deps.accounts.access(context.ownerId);
  return await withKnown(
    deps,
    context,
    prepareUpdate(wish, {
      account,
      now: deps.clock.now(),
      ...(await readChangeable(deps, context, wish)),
    }),
  );
}

async function withKnown<Form extends PreparedEvent>(
  { knownPeople }: CalendarDeps,
  context: ToolContext,
  { prepared, preview }: Planned<Form>,
): Promise<Planned<Form>> {
  return { prepared: { ...prepared, known: await knownPeople(context, prepared.guests) }, preview };
}

/** The id is ours and drawn by lot: whoever has it already is an earlier attempt of this same effect. */
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
    return show(await surely(readEvent(deps, caller, prepared)), context);
  }
}

/** A late request can do no harm: the next attempt has the same id, and one of the two is refused. */
export async function reconcileInsert(
  deps: CalendarDeps,
  prepared: PreparedEvent,
  context: EffectContext,
): Promise<Reconciliation> {
  const found = await lookFor(deps, prepared, context, (event) => event !== undefined);
  return found ? { state: "done", output: show(found, context) } : { state: "not_done" };
}

/** Only over the event as it was shown: If-Match lets at most one attempt through, and none after somebody else's change; occurrences are looked at right before. */
export async function patchEvent(
  deps: CalendarDeps,
  prepared: PreparedUpdate,
  context: EffectContext,
): Promise<JsonObject> {
  const caller = callerFor(prepared, context);
  const { calendarId, eventId, etag, notify, event } = prepared;
  const occurrences = await nothingDoneYet(() => readChangedOccurrences(deps, caller, prepared));
  if (!areSame(toChangedOccurrences(occurrences), prepared.occurrences))
    return await oursOrChanged(deps, prepared, context);
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
    if (statusOf(error) !== 412) throw error;
    return await oursOrChanged(deps, prepared, context);
  }
}

/** It is not as it was shown: by an earlier attempt of this same change, or by somebody else. */
async function oursOrChanged(
  deps: CalendarDeps,
  prepared: PreparedUpdate,
  context: EffectContext,
): Promise<JsonObject> {
  const now = await readEvent(deps, callerFor(prepared, context), prepared);
  if (now && isMarkedWith(prepared.mark, now)) return show(now, context);
  throw new BronError(
    "effect_not_done",
    "Not changed: the event was changed in the calendar after it was shown. Look at it again.",
    { details: { changed: true } },
  );
}

/** A read that fails has changed nothing: it can be tried again. */
async function nothingDoneYet<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (BronError.is(error, "effect_not_done") || BronError.is(error, "missing_credentials"))
      throw error;
    throw new BronError("effect_not_done", `Not changed: ${messageOf(error)}`, {
      retryable: true,
      cause: error,
    });
  }
}

/** Our mark stays on the event whatever is changed later; without it nothing of ours was done. */
export async function reconcilePatch(
  deps: CalendarDeps,
  prepared: PreparedUpdate,
  context: EffectContext,
): Promise<Reconciliation> {
  const found = await lookFor(
    deps,
    prepared,
    context,
    (event) => event !== undefined && isMarkedWith(prepared.mark, event),
  );
  return found ? { state: "done", output: show(found, context) } : { state: "not_done" };
}

async function lookFor(
  deps: CalendarDeps,
  prepared: PreparedEvent,
  context: EffectContext,
  isIt: (event: Event | undefined) => boolean,
): Promise<Event | undefined> {
  for (const pause of deps.times.looksMs) {
    await deps.clock.sleep(pause, context.signal);
    const event = await readEvent(deps, callerFor(prepared, context), prepared);
    if (isIt(event)) return event;
  }
  return undefined;
}

function callerFor({ account }: PreparedEvent, { ownerId, signal }: EffectContext): Caller {
  return { ownerId, signal, account };
}

function statusOf(error: unknown): unknown {
  return BronError.is(error, "effect_not_done") ? error.details["status"] : undefined;
}

async function surely(event: Promise<Event | undefined>): Promise<Event> {
  const found = await event;
  if (!found)
    throw new BronError(
      "tool_failed",
      "The calendar says that the event is there, and does not show it.",
    );
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
