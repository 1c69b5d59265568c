import type { JsonObject } from "@bron/protocol";
import { texts } from "../texts.ts";
import { changedFields, isTime, type Typed } from "./edited-fields.ts";
import { isTimeWhole } from "./time-field.tsx";
import { isDay } from "./zoned-time.ts";

const people: ReadonlySet<string> = new Set(["to", "cc", "bcc", "guests"]);
const addressPattern = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@<>(),;:".]+$/;

/** What of a form would be refused later, when the edit is lost: by field, in words. What was not changed was good enough already. */
export function problemsOf(editable: JsonObject, typed: Typed): Readonly<Record<string, string>> {
  const changed = changedFields(editable, typed);
  const problems: Record<string, string> = {};
  for (const field of changed) {
    const problem = problemOf(field, editable, typed[field] ?? "");
    if (problem !== undefined) problems[field] = problem;
  }
  const recipients = ["to", "cc", "bcc"].filter((field) => field in typed);
  if (recipients.length > 0 && recipients.every((field) => typed[field]?.trim() === ""))
    problems[recipients[0] ?? "to"] = texts.approval.problems.nobody;
  const { start, end } = typed;
  const isMoved = changed.includes("start") || changed.includes("end");
  if (
    isMoved &&
    start !== undefined &&
    end !== undefined &&
    isTimeWhole(start) &&
    isTimeWhole(end) &&
    !isAfter(end, start)
  )
    problems["end"] = texts.approval.problems.endsBefore;
  return problems;
}

function problemOf(field: string, editable: JsonObject, text: string): string | undefined {
  const before = editable[field] ?? "";
  if (people.has(field)) {
    const wrong = text
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "" && !isPerson(line));
    return wrong === undefined ? undefined : texts.approval.problems.address(wrong);
  }
  if (isTime(field, before)) return isTimeWhole(text) ? undefined : texts.approval.problems.time;
  return field === "summary" && text.trim() === "" ? texts.approval.problems.needed : undefined;
}

/** `eva@x.example` or `Eva Berg <eva@x.example>` */
function isPerson(line: string): boolean {
  const [, inner] = /^[^<>]*<([^<>]*)>$/.exec(line) ?? [];
  return addressPattern.test((inner ?? line).trim());
}

/** Days end with the last one that belongs to it. */
function isAfter(end: string, start: string): boolean {
  return isDay(end) && isDay(start) ? end >= start : Date.parse(end) > Date.parse(start);
}
