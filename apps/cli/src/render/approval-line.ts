import type { ApprovalView, JsonValue } from "@bron/protocol";
import { oneLine } from "./visible.ts";

/** "eva@example.com and 2 more · Invoice 7": who gets it and what it is, for a list. */
export function approvalLine({
  prepared,
  preview,
}: Pick<ApprovalView, "prepared" | "preview">): string {
  const form = objectOf(prepared);
  const [first, ...others] = recipientsOf(form);
  const recipients =
    first === undefined ? "" : `${first}${others.length > 0 ? ` and ${others.length} more` : ""}`;
  const details = [recipients, nameOf(form) ?? firstLine(preview)];
  return oneLine(details.filter((text) => text !== "").join(" · "));
}

type Form = Readonly<Record<string, JsonValue>>;

function objectOf(value: JsonValue | undefined): Form {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Mails have recipients, events have guests, and posts have a channel or a person. */
function recipientsOf(form: Form): string[] {
  const people = ["to", "cc", "bcc", "guests"].flatMap((name) => textsOf(form[name]));
  const channel = textsOf(objectOf(form["channel"])["name"]).map((name) => `#${name}`);
  return [...people, ...channel, ...textsOf(objectOf(form["person"])["name"])];
}

/** The subject of a mail, or the title of an event. */
function nameOf(form: Form): string | undefined {
  const [name] = ["subject", "title"].flatMap((field) => textsOf(form[field]));
  return name ?? textsOf(objectOf(form["event"])["summary"])[0];
}

function textsOf(value: JsonValue | undefined): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one): one is string => typeof one === "string" && one !== "");
}

function firstLine(preview: string): string {
  return preview.split("\n").find((text) => text.trim() !== "") ?? "";
}
