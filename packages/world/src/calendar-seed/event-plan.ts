import { createHash } from "node:crypto";
import type { Temporal } from "temporal-polyfill";
import { instanceId } from "../google/calendar/instances.ts";
import { wallToEpoch, type EventTime } from "../google/calendar/event-time.ts";
import type { Attendee, StoredEvent } from "../google/calendar/stored-event.ts";
import type { Person } from "../mailbox/company.ts";
import { homeZone } from "./working-days.ts";

type Answer = Attendee["responseStatus"];

/** An event before it has ids. */
export interface EventPlan {
  /** Makes the id. */
  readonly name: string;
  readonly organizer: Person;
  readonly summary: string;
  readonly start: EventTime;
  readonly end: EventTime;
  readonly guests?: readonly (readonly [Person, Answer])[];
  readonly description?: string;
  readonly location?: string;
  readonly recurrence?: readonly string[];
  readonly visibility?: "private";
  readonly transparency?: "transparent";
  readonly daysAgo?: number;
  readonly sequence?: number;
  readonly status?: StoredEvent["status"];
}

/** "9:15" of a day, on the clock of a zone. */
export function clock(date: Temporal.PlainDate, time: string, timeZone = homeZone): EventTime {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return { at: wallToEpoch(date.toPlainDateTime({ hour, minute }), timeZone), timeZone };
}

export const wholeDay = (date: Temporal.PlainDate): EventTime => ({ date: date.toString() });

/** With the organizer among the guests, as Google's own screen does it. */
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
  const invited: readonly (readonly [Person, Answer])[] =
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

/** One instance of a series that is otherwise than the rest. */
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

/** 26 letters of base32hex, as Google's are. */
function eventId(name: string): string {
  return Array.from(
    createHash("sha256").update(name).digest().subarray(0, 26),
    (byte) => "0123456789abcdefghijklmnopqrstuv"[byte % 32],
  ).join("");
}
