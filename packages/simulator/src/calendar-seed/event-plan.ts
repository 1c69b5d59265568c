import { createHash } from "node:crypto";
import type { Temporal } from "temporal-polyfill";
import { instanceId } from "../google/calendar/instances.ts";
import { wallToEpoch, type EventTime } from "../google/calendar/event-time.ts";
import type { Attendee, StoredEvent } from "../google/calendar/stored-event.ts";
import type { Person } from "../mailbox/company.ts";
import { homeZone } from "./working-days.ts";

type ResponseStatus = Attendee["responseStatus"];

/** An event without ids. */
export interface EventPlan {
  /** The id is derived from it. */
  readonly name: string;
  readonly organizer: Person;
  readonly summary: string;
  readonly start: EventTime;
  readonly end: EventTime;
  readonly guests?: readonly (readonly [Person, ResponseStatus])[];
  readonly description?: string;
  readonly location?: string;
  readonly recurrence?: readonly string[];
  readonly visibility?: "private";
  readonly transparency?: "transparent";
  readonly daysAgo?: number;
  readonly sequence?: number;
  readonly status?: StoredEvent["status"];
}

/** A local time such as "9:15" on a day in a zone. */
export function clock(date: Temporal.PlainDate, time: string, timeZone = homeZone): EventTime {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return { at: wallToEpoch(date.toPlainDateTime({ hour, minute }), timeZone), timeZone };
}

export const allDayEvent = (date: Temporal.PlainDate): EventTime => ({ date: date.toString() });

/** Adds the organizer to the guests, like Google's interface. */
export function storedEvent(
  plan: EventPlan,
  { seed, anchor }: { readonly seed: number; readonly anchor: Date },
): StoredEvent {
  const {
    name,
    organizer,
    guests = [],
    daysAgo = 9,
    sequence = 0,
    status = "confirmed",
    ...content
  } = plan;
  const id = eventId(`${seed}-${name}`);
  const created = Math.floor(anchor.getTime() / 1000) * 1000 - daysAgo * 86_400_000;
  const invited: readonly (readonly [Person, ResponseStatus])[] =
    guests.length === 0 ? [] : [[organizer, "accepted"], ...guests];
  return {
    ...content,
    id,
    iCalUID: `${id}@google.com`,
    status,
    sequence,
    created,
    updated: created + sequence * 3_600_000,
    version: created * 2_000 + sequence,
    creator: { email: organizer.address },
    organizer: { email: organizer.address, displayName: organizer.name },
    reminders: { useDefault: true },
    ...(invited.length === 0
      ? {}
      : {
          attendees: invited.map(([{ address, name: displayName }, responseStatus]) => ({
            email: address,
            displayName,
            responseStatus,
          })),
        }),
  };
}

/** An exception: one instance that differs from its series. */
export function exceptionOf(
  series: StoredEvent,
  originalStart: EventTime,
  change: Partial<StoredEvent>,
): StoredEvent {
  const { recurrence: _, ...rest } = series;
  const updated = series.updated + 7_200_000;
  return {
    ...rest,
    ...change,
    id: instanceId(series.id, originalStart),
    recurringEventId: series.id,
    originalStart,
    updated,
    version: updated * 2_000,
    sequence: series.sequence + 1,
  };
}

/** 26 characters of base32hex, like Google's ids. */
function eventId(name: string): string {
  return Array.from(
    createHash("sha256").update(name).digest().subarray(0, 26),
    (byte) => "0123456789abcdefghijklmnopqrstuv"[byte % 32],
  ).join("");
}
