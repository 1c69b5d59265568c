import type { JsonValue } from "@bron/protocol";

/** The fields of a prepared form that say whom an effect reached, and with what. */
export const sentFields = [
  "to",
  "cc",
  "bcc",
  "guests",
  "person",
  "channel",
  "mentioned",
  "subject",
  "title",
] as const;

/** The recipients, the subject and the title of what left, as words that a search can find. */
export function sentText(prepared: JsonValue): string {
  if (typeof prepared !== "object" || prepared === null || Array.isArray(prepared)) return "";
  const texts = sentFields.flatMap((name) => stringsIn(prepared[name] ?? null));
  return [...new Set(texts)].join(" ");
}

function stringsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((one) => stringsIn(one ?? null));
}
