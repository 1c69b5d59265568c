import { omitUndefined } from "@bron/protocol";
import { z } from "zod";
import { emptyTimeRange, invalid, required } from "./calendar-error.ts";
import { epochOf, readEventTime, writeEventTime } from "./event-time.ts";
import { parseRecurrence } from "./recurrence.ts";
import type { EventContent, StoredEvent } from "./stored-event.ts";

const text = (most: number) => z.string().max(most);
const time = z.object({ date: z.string(), dateTime: z.string(), timeZone: z.string() }).partial();
const properties = z.record(z.string().min(1).max(44), z.string().max(1_024));
const attendee = z.object({
  email: z.string().optional(),
  displayName: z.string().optional(),
  optional: z.boolean().optional(),
  resource: z.boolean().optional(),
  comment: z.string().optional(),
  additionalGuests: z.int().nonnegative().optional(),
  responseStatus: z.enum(["needsAction", "declined", "tentative", "accepted"]).optional(),
});

/** The writable fields. Other fields of a resource are ignored. */
const eventBody = z.object({
  id: z.string().optional(),
  iCalUID: z.string().min(1).optional(),
  status: z.enum(["confirmed", "tentative", "cancelled"]).optional(),
  sequence: z.int().nonnegative().optional(),
  summary: text(1_024).optional(),
  description: text(8_192).optional(),
  location: text(1_024).optional(),
  colorId: z.string().optional(),
  start: time.optional(),
  end: time.optional(),
  recurrence: z.array(z.string()).optional(),
  attendees: z.array(attendee).optional(),
  extendedProperties: z.object({ private: properties, shared: properties }).partial().optional(),
  guestsCanModify: z.boolean().optional(),
  guestsCanInviteOthers: z.boolean().optional(),
  guestsCanSeeOtherGuests: z.boolean().optional(),
  reminders: z
    .object({
      useDefault: z.boolean().default(false),
      overrides: z
        .array(
          z.object({
            method: z.enum(["email", "popup"]),
            minutes: z.int().nonnegative().max(40_320),
          }),
        )
        .max(5)
        .optional(),
    })
    .optional(),
  visibility: z.enum(["default", "public", "private", "confidential"]).optional(),
  transparency: z.enum(["opaque", "transparent"]).optional(),
  source: z.object({ title: z.string(), url: z.string() }).partial().optional(),
  eventType: z.literal("default").optional(),
});

export interface EventInput {
  readonly content: EventContent;
  readonly id?: string | undefined;
  readonly iCalUID?: string | undefined;
  readonly status?: StoredEvent["status"] | undefined;
  readonly sequence?: number | undefined;
}

/** Parses a complete event for insert and update. Throws Calendar's errors. */
export function readEvent(body: unknown, calendarZone: string): EventInput {
  const parsed = eventBody.safeParse(withoutNulls(body ?? {}));
  if (!parsed.success)
    throw invalid(`Invalid value for: ${parsed.error.issues[0]?.path.join(".") ?? ""}`);
  const {
    id,
    iCalUID,
    status,
    sequence,
    start: writtenStart,
    end: writtenEnd,
    attendees,
    extendedProperties,
    reminders,
    eventType: _,
    ...rest
  } = parsed.data;
  const needsZone = (rest.recurrence?.length ?? 0) > 0;
  // For an event without times, Google reports the missing end.
  if (writtenEnd?.date === undefined && writtenEnd?.dateTime === undefined)
    throw required("Missing end time.");
  const start = readEventTime(writtenStart, { which: "start", calendarZone, needsZone });
  const end = readEventTime(writtenEnd, { which: "end", calendarZone, needsZone });
  if ("date" in start !== "date" in end)
    throw invalid("Start and end times must either both be date or both be dateTime.");
  if (epochOf(end, calendarZone) < epochOf(start, calendarZone)) throw emptyTimeRange();
  if (needsZone && !parseRecurrence(rest.recurrence ?? [], start, calendarZone))
    throw invalid("Invalid recurrence rule.");
  const { recurrence, ...plain } = rest;
  const content: EventContent = {
    ...plain,
    ...(needsZone ? { recurrence } : {}),
    start,
    end,
    ...omitUndefined({
      attendees: attendees?.length ? readAttendees(attendees) : undefined,
      privateProperties:
        extendedProperties?.private === undefined ? undefined : extendedProperties.private,
      sharedProperties:
        extendedProperties?.shared === undefined ? undefined : extendedProperties.shared,
    }),
    reminders: reminders ?? { useDefault: true },
  };
  return { content, id, iCalUID, status, sequence };
}

function readAttendees(attendees: readonly z.output<typeof attendee>[]): EventContent["attendees"] {
  const read = attendees.map(({ email, responseStatus = "needsAction", ...rest }) => {
    if (email === undefined || email === "") throw required("Missing attendee email.");
    if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(email)) throw invalid("Invalid attendee email.");
    return { ...rest, email: email.toLowerCase(), responseStatus };
  });
  return [...new Map(read.map((one) => [one.email, one])).values()];
}

/** The writable fields of an event, to which a patch is applied. */
export function writableEvent(
  event: StoredEvent,
  calendarZone: string,
): Readonly<Record<string, unknown>> {
  const {
    start,
    end,
    originalStart: _,
    privateProperties,
    sharedProperties,
    creator: _creator,
    organizer: _organizer,
    created: _created,
    updated: _updated,
    version: _version,
    sequence: _sequence,
    ...rest
  } = event;
  return {
    ...rest,
    start: writeEventTime(start, calendarZone),
    end: writeEventTime(end, calendarZone),
    extendedProperties: omitUndefined({ private: privateProperties, shared: sharedProperties }),
  };
}

/** Absent fields stay, null removes, objects are merged and lists are replaced. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Clients send null for omitted fields. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === null ? [] : [[name, withoutNulls(inner)]],
    ),
  );
}
