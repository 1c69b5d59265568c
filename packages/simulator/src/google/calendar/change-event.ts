import { randomBytes } from "node:crypto";
import { omitUndefined } from "@bron/protocol";
import type { SimulatorState } from "../state/simulator-state.ts";
import {
  alreadyDeleted,
  calendarNotFound,
  conditionNotMet,
  duplicateId,
  invalid,
  organizerRequired,
} from "./calendar-error.ts";
import { commitChange, type Actor } from "./commit-change.ts";
import {
  changesMoreThanResponse,
  isOnlyReminders,
  isRevised,
  nextVersion,
} from "./compare-events.ts";
import { etagOf, type EventResource } from "./event-resource.ts";
import { findEvent } from "./instances.ts";
import { mergePatch, readEvent, writableEvent, type EventInput } from "./read-event.ts";
import { isSeries, type StoredEvent } from "./stored-event.ts";

/** An event to change, if it still matches the caller's version. */
interface EventName {
  readonly eventId: string;
  /** The If-Match header. Undefined accepts any version. */
  readonly ifMatch?: string | undefined;
}

/** These functions throw Calendar's errors and then change nothing. */
export function insertEvent(state: SimulatorState, actor: Actor, body: unknown): EventResource {
  const { calendar, account, now } = actor;
  const {
    content,
    id = newEventId(),
    iCalUID = `${id}@google.com`,
    status = "confirmed",
    sequence = 0,
  } = readEvent(body, calendar.timeZone);
  if (!/^[a-v0-9]{5,1024}$/.test(id)) throw invalid("Invalid resource id value.");
  if (calendar.event(id) || calendar.events().some((event) => event.iCalUID === iCalUID))
    throw duplicateId();
  const person = { email: account.address, displayName: account.name };
  const isPrimary = calendar.facts.primaryOf === account.address;
  const after: StoredEvent = {
    ...content,
    id,
    iCalUID,
    status,
    sequence,
    created: Math.floor(now.getTime() / 1000) * 1000,
    updated: now.getTime(),
    version: nextVersion(0, now),
    creator: isPrimary ? { email: person.email } : person,
    organizer: isPrimary
      ? { email: person.email }
      : { email: calendar.facts.id, displayName: calendar.facts.summary },
  };
  return commitChange(state, actor, { kind: "inserted", after });
}

export function patchEvent(
  state: SimulatorState,
  actor: Actor,
  name: EventName,
  body: unknown,
): EventResource {
  const before = findChangeable(actor, name);
  const input = readEvent(
    mergePatch(writableEvent(before, actor.calendar.timeZone), body),
    actor.calendar.timeZone,
  );
  return replaceEvent(state, actor, before, { ...input, sequence: undefined });
}

export function updateEvent(
  state: SimulatorState,
  actor: Actor,
  name: EventName,
  body: unknown,
): EventResource {
  const before = findChangeable(actor, name);
  const input = readEvent(body, actor.calendar.timeZone);
  if (input.sequence !== undefined && input.sequence < before.sequence) {
    throw invalid(
      "Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.",
    );
  }
  return replaceEvent(state, actor, before, input);
}

export function deleteEvent(state: SimulatorState, actor: Actor, name: EventName): void {
  const before = findChangeable(actor, name);
  if (before.status === "cancelled") throw alreadyDeleted();
  commitChange(state, actor, { kind: "deleted", before, after: cancelled(before, actor) });
}

function findChangeable({ calendar }: Actor, { eventId, ifMatch }: EventName): StoredEvent {
  const event = findEvent(calendar, eventId);
  if (!event) throw calendarNotFound();
  if (ifMatch !== undefined && ifMatch !== "*" && ifMatch !== etagOf(event))
    throw conditionNotMet();
  return event;
}

function replaceEvent(
  state: SimulatorState,
  actor: Actor,
  before: StoredEvent,
  input: EventInput,
): EventResource {
  const { calendar, now } = actor;
  const {
    id,
    iCalUID,
    created,
    creator,
    organizer,
    recurringEventId,
    originalStart,
    version,
    updated,
  } = before;
  if (recurringEventId !== undefined && isSeries(input.content))
    throw invalid("Invalid recurrence rule.");
  const kept = {
    id,
    iCalUID,
    created,
    creator,
    organizer,
    ...omitUndefined({ recurringEventId, originalStart }),
  };
  const status = input.status ?? (before.status === "cancelled" ? "confirmed" : before.status);
  if (status === "cancelled" && before.status !== "cancelled")
    return commitChange(state, actor, { kind: "deleted", before, after: cancelled(before, actor) });
  const drafted: StoredEvent = {
    ...input.content,
    ...kept,
    status,
    sequence: Math.max(before.sequence, input.sequence ?? 0),
    updated,
    version,
  };
  const isOrganizer = organizer.email === calendar.facts.id;
  if (
    !isOrganizer &&
    before.guestsCanModify !== true &&
    changesMoreThanResponse(before, drafted, calendar.facts.id)
  )
    throw organizerRequired();
  const after: StoredEvent = {
    ...drafted,
    sequence: drafted.sequence + (isOrganizer && isRevised(before, drafted) ? 1 : 0),
    updated: isOnlyReminders(before, drafted) ? updated : now.getTime(),
    version: nextVersion(version, now),
  };
  return commitChange(state, actor, { kind: "patched", before, after });
}

function cancelled(event: StoredEvent, { now, calendar }: Actor): StoredEvent {
  const isOrganizer = event.organizer.email === calendar.facts.id;
  return {
    ...event,
    status: "cancelled",
    sequence: event.sequence + (isOrganizer ? 1 : 0),
    updated: now.getTime(),
    version: nextVersion(event.version, now),
  };
}

const digits = "0123456789abcdefghijklmnopqrstuv";

function newEventId(): string {
  return Array.from(randomBytes(26), (byte) => digits[byte % 32]).join("");
}
