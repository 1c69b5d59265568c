import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";
import { parseRule } from "./rule-parts.ts";
import { readUntil, writeUntil } from "./rule-until.ts";
import { dayOf, keyOf, momentOn } from "./series-dates.ts";

/**
 * Adjusts the UNTIL of a series' rule when the start moves to another hour. An UNTIL that names a
 * moment would otherwise cut off the last day or add one.
 */
export function withMovedEnd(rule: string, before: EventTime, start: EventTime): string {
  const text = parseRule(rule)?.until;
  const until = text === undefined ? undefined : readUntil(text, before);
  if (!until || "date" in start) return rule;
  const day = dayOf(until);
  // The occurrence on the day of UNTIL, before and after the change.
  const [lastBefore, lastAfter] = [momentOn(day, before), momentOn(day, start)];
  // An all-day series ends with a day, a timed one with a moment.
  if ("date" in until) return replaceUntil(rule, lastAfter);
  const [wasIncluded, isIncluded] = [lastBefore, lastAfter].map(
    (time) => keyOf(time) <= keyOf(until),
  );
  if (wasIncluded === isIncluded || "date" in lastAfter) return rule;
  return replaceUntil(
    rule,
    wasIncluded === true
      ? lastAfter
      : {
          ...lastAfter,
          dateTime: Temporal.Instant.from(lastAfter.dateTime).subtract({ seconds: 1 }).toString(),
        },
  );
}

function replaceUntil(rule: string, until: EventTime): string {
  return rule.replace(/UNTIL=[^;]+/i, `UNTIL=${writeUntil(until)}`);
}
