import type { JsonObject, JsonValue } from "@bron/protocol";
import { isDay, isMoment } from "./zoned-time.ts";

/** The order in which an email or an event is read. Any other field comes after these. */
const order = [
  "to",
  "cc",
  "bcc",
  "subject",
  "bodyText",
  "note",
  "text",
  "summary",
  "start",
  "end",
  "location",
  "guests",
  "description",
];

export function inOrder(editable: JsonObject): readonly (readonly [string, JsonValue])[] {
  const place = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
  return Object.entries(editable).toSorted(([one], [other]) => place(one) - place(other));
}

/** Lists are edited with one entry per line. */
export function toText(value: JsonValue): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(toText).join("\n") : JSON.stringify(value);
}

export type Typed = Readonly<Record<string, string>>;

export function changedFields(editable: JsonObject, typed: Typed): readonly string[] {
  return inOrder(editable).flatMap(([field, value]) =>
    typed[field] === toText(value) ? [] : [field],
  );
}

/** The changes to send. Unchanged fields are left out. */
export function changesOf(editable: JsonObject, typed: Typed): JsonObject {
  const changes: JsonObject = Object.fromEntries(
    changedFields(editable, typed).map((field) => [
      field,
      fromText(typed[field] ?? "", editable[field] ?? ""),
    ]),
  );
  const { start } = changes;
  const { end } = typed;
  // The server moves an omitted end along with the start. To keep the end, it is sent in another
  // notation, because an identical value would count as no change.
  if (
    typeof start === "string" &&
    changes["end"] === undefined &&
    end !== undefined &&
    isMoment(end)
  )
    changes["end"] = new Date(end).toISOString();
  return changes;
}

function fromText(text: string, before: JsonValue): JsonValue {
  if (!Array.isArray(before)) return text;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export const isTime = (field: string, value: JsonValue): value is string =>
  (field === "start" || field === "end") &&
  typeof value === "string" &&
  (isDay(value) || isMoment(value));
