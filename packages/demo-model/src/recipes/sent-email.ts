import { omitUndefined } from "@bron/protocol";
import { isObject } from "../wire.ts";
import { fieldOf, listOf, textOf } from "./json.ts";
import { editedTextHeading } from "./revise-email.ts";

/** An email that left, by the result of sending it. The user may have changed it at the approval. */
export interface SentEmail {
  readonly to: readonly string[];
  /** Undefined if the user did not change it. */
  readonly cc?: readonly string[];
  readonly subject: string;
  /** The fields that the user changed. */
  readonly changed: readonly string[];
  /** The text, if the user changed it. */
  readonly text: string;
}

export function readSent(result: unknown): SentEmail {
  const changed = fieldOf(result, "changedByUser");
  const cc = fieldOf(changed, "cc");
  return {
    to: listOf(fieldOf(result, "to") ?? fieldOf(changed, "to")).map(String),
    ...omitUndefined({ cc: cc === undefined ? undefined : listOf(cc).map(String) }),
    subject: textOf(result, "subject") || textOf(changed, "subject"),
    changed: isObject(changed) ? Object.keys(changed) : [],
    text: textOf(changed, "bodyText"),
  };
}

/** `"Lunch" to jonas@lindqvist.example, after you changed the text.` and the text. */
export function describeSent(
  sent: SentEmail | undefined,
  planned: {
    readonly to: readonly string[];
    readonly cc?: readonly string[] | undefined;
    readonly subject: string;
  },
): string {
  const subject = sent?.subject || planned.subject;
  const to = sent?.to.length ? sent.to : planned.to;
  const cc = sent?.cc ?? planned.cc ?? [];
  const copies = cc.length === 0 ? "" : ` (cc ${cc.join(", ")})`;
  const head = `"${subject}" to ${to.join(", ")}${copies}${describeChanges(sent?.changed ?? [])}.`;
  if (!sent?.text) return head;
  const quoted = sent.text
    .trimEnd()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd());
  return [head, editedTextHeading, ...quoted].join("\n");
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
