import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";
import { parseRule } from "./rule-parts.ts";
import { readUntil, writeUntil } from "./rule-until.ts";
import { dayOf, keyOf, momentOn } from "./series-dates.ts";

/**
 * Adjusts the rule's UNTIL to a new hour. An UNTIL that names a moment would otherwise cut off the
 * last day or add one.
 */
export function withMovedEnd(rule: string, before: EventTime, start: EventTime): string {
  const text = parseRule(rule)?.until;
  const until = text === undefined ? undefined : readUntil(text, before);
  if (!until || "date" in start) return rule;
  const day = dayOf(until);
  const [was, is] = [momentOn(day, before), momentOn(day, start)];
  // An all-day series ends with a day, a timed one with a moment.
  if ("date" in until) return write(rule, is);
  const [wasIn, isIn] = [was, is].map((time) => keyOf(time) <= keyOf(until));
  if (wasIn === isIn || "date" in is) return rule;
  return write(
    rule,
    wasIn === true
      ? is
      : { ...is, dateTime: Temporal.Instant.from(is.dateTime).subtract({ seconds: 1 }).toString() },
  );
}

function write(rule: string, until: EventTime): string {
  return rule.replace(/UNTIL=[^;]+/i, `UNTIL=${writeUntil(until)}`);
}
