import type { JsonObject } from "@bron/protocol";
import { texts } from "../texts.ts";
import { changedFields, isTime, type Typed } from "./edited-fields.ts";
import { isCompleteTime } from "./time-field.tsx";
import { isDay } from "./zoned-time.ts";

const people: ReadonlySet<string> = new Set(["to", "cc", "bcc", "guests"]);
const addressPattern = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]+$/;

/**
 * Messages for invalid fields, found before the edit is sent, because a rejected edit is lost.
 * Unchanged fields are not checked.
 */
export function problemsOf(editable: JsonObject, typed: Typed): Readonly<Record<string, string>> {
  const changed = changedFields(editable, typed);
  const problems: Record<string, string> = {};
  for (const field of changed) {
    const problem = problemOf(field, editable, typed[field] ?? "");
    if (problem !== undefined) problems[field] = problem;
  }
  const recipients = ["to", "cc", "bcc"].filter((field) => field in typed);
  if (recipients.length > 0 && recipients.every((field) => typed[field]?.trim() === ""))
    problems[recipients[0] ?? "to"] = texts.approval.problems.noRecipient;
  const { start, end } = typed;
  const isMoved = changed.includes("start") || changed.includes("end");
  if (
    isMoved &&
    start !== undefined &&
    end !== undefined &&
    isCompleteTime(start) &&
    isCompleteTime(end) &&
    !isAfter(end, start)
  )
    problems["end"] = texts.approval.problems.endsBefore;
  return problems;
}

function problemOf(field: string, editable: JsonObject, text: string): string | undefined {
  const before = editable[field] ?? "";
  if (people.has(field) && Array.isArray(before)) {
    const wrong = text
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "" && !isPerson(line));
    return wrong === undefined ? undefined : texts.approval.problems.address(wrong);
  }
  if (isTime(field, before)) return isCompleteTime(text) ? undefined : texts.approval.problems.time;
  return (field === "summary" || field === "text") && text.trim() === ""
    ? texts.approval.problems.needed
    : undefined;
}

/** `eva@x.example` or `Eva Berg <eva@x.example>` */
function isPerson(line: string): boolean {
  const [, inner] = /^[^<>]*<([^<>]*)>$/.exec(line) ?? [];
  return addressPattern.test((inner ?? line).trim());
}

/** The end of an all-day event is its last day, so it may equal the start. */
function isAfter(end: string, start: string): boolean {
  return isDay(end) && isDay(start) ? end >= start : Date.parse(end) > Date.parse(start);
}
