import type { JsonObject, JsonValue } from "@bron/protocol";
import { isDay, isMoment } from "./zoned-time.ts";

/** As a person reads a mail or an event from its top; whatever else there is comes after it. */
const order = [
  "to",
  "cc",
  "bcc",
  "subject",
  "bodyText",
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

/** A list is typed one to a line. */
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

/** What is sent: only what was changed. */
export function changesOf(editable: JsonObject, typed: Typed): JsonObject {
  const changes: JsonObject = Object.fromEntries(
    changedFields(editable, typed).map((field) => [
      field,
      fromText(typed[field] ?? "", editable[field] ?? ""),
    ]),
  );
  const { start } = changes;
  const { end } = typed;
  // An end that is left out moves with the beginning. One that is to stay is named, and in other words: the same ones count as no change.
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
