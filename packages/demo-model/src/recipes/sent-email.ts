import { isObject } from "../wire.ts";
import { fieldOf, listOf, textOf } from "../words/json.ts";
import { atTime } from "./hours.ts";

/** An email that left, by the result of sending it. The user may have changed it at the approval. */
export interface SentEmail {
  readonly at: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** The fields that the user changed. */
  readonly changed: readonly string[];
}

export function readSent(result: unknown): SentEmail {
  const changed = fieldOf(result, "changedByUser");
  return {
    at: textOf(result, "sentAt"),
    to: listOf(fieldOf(result, "to")).map(String),
    subject: textOf(result, "subject"),
    changed: isObject(changed) ? Object.keys(changed) : [],
  };
}

/** `"Lunch" to jonas@lindqvist.example at 9:30 AM UTC, after you changed the subject` */
export function describeSent(
  sent: SentEmail | undefined,
  planned: { readonly to: readonly string[]; readonly subject: string },
): string {
  const subject = sent?.subject || planned.subject;
  const to = sent?.to.length ? sent.to : planned.to;
  return `"${subject}" to ${to.join(", ")}${atTime(sent?.at)}${describeChanges(sent?.changed ?? [])}`;
}

const names: Readonly<Record<string, string>> = {
  to: "the recipients",
  cc: "the copies",
  bcc: "the blind copies",
  bodyText: "the text",
};

function describeChanges(changed: readonly string[]): string {
  if (changed.length === 0) return "";
  return `, after you changed ${changed.map((field) => names[field] ?? `the ${field}`).join(" and ")}`;
}
