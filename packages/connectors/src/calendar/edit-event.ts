import type { ToolContext } from "@bron/core";
import { omitUndefined, type FormReads, type JsonObject, type JsonValue } from "@bron/protocol";
import { z } from "zod";
import { formatAddress } from "../addresses.ts";
import { createInput } from "./event-input.ts";
import type { PreparedEvent } from "./prepared-event.ts";

const { summary, start, location, description, guests } = createInput.shape;

/** The fields that the owner may edit before the event is created or changed. */
const eventChanges = z
  .strictObject({
    summary,
    start,
    end: start,
    location: location.removeDefault(),
    description: description.removeDefault(),
    guests: guests.removeDefault(),
  })
  .partial();
export type EventChanges = z.infer<typeof eventChanges>;

type EventFields = { [Field in keyof EventChanges]?: NonNullable<EventChanges[Field]> };

interface PreparedChange<Form> {
  readonly prepared: Form;
  readonly preview: string;
  readonly reads?: FormReads;
}

/** With `isNew`, omitted fields are shown as empty, because the entire event is created. */
export function eventEditing<Form extends PreparedEvent>(
  isNew: boolean,
  plan: (
    prepared: Form,
    changes: EventChanges,
    context: ToolContext,
  ) => Promise<PreparedChange<Form>>,
) {
  return {
    fields: eventChanges,
    valuesOf: ({ event }: Form): JsonObject => ({
      ...(isNew ? { location: "", description: "", guests: [] } : {}),
      ...fieldsOf(event),
    }),
    edit: plan,
  };
}

/** The fields that the request sets, as a person would type them. */
export function fieldsOf(event: JsonObject): EventFields {
  const text = (name: string) => (typeof event[name] === "string" ? { [name]: event[name] } : {});
  const [from, to] = [timeIn(event["start"]), timeIn(event["end"], true)];
  return {
    ...text("summary"),
    ...omitUndefined({ start: from, end: to }),
    ...text("location"),
    ...text("description"),
    ...(Array.isArray(event["attendees"]) ? { guests: event["attendees"].flatMap(guestIn) } : {}),
  };
}

/** People name the last day of an event, but the calendar stores the day after it. */
function timeIn(time: JsonValue | undefined, isEnd = false): string | undefined {
  if (!isObject(time)) return undefined;
  const { date, dateTime } = time;
  if (typeof dateTime === "string") return dateTime;
  if (typeof date !== "string") return undefined;
  return isEnd
    ? new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
    : date;
}

function guestIn(attendee: JsonValue): string[] {
  if (!isObject(attendee) || typeof attendee["email"] !== "string" || attendee["self"] === true)
    return [];
  const name = attendee["displayName"];
  return [
    formatAddress({ name: typeof name === "string" ? name : "", address: attendee["email"] }),
  ];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
