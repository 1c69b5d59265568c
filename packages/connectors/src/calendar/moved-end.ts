import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";
import { understand } from "./rule-parts.ts";
import { readUntil, writeUntil } from "./rule-until.ts";
import { dayOf, keyOf, momentOn } from "./series-dates.ts";

/** The rule for another hour: an end that names a moment would cut off the last day, or let in one more. */
export function withMovedEnd(rule: string, before: EventTime, start: EventTime): string {
  const text = understand(rule)?.until;
  const until = text === undefined ? undefined : readUntil(text, before);
  if (!until || "date" in start) return rule;
  const day = dayOf(until);
  const [was, is] = [momentOn(day, before), momentOn(day, start)];
  // Days end with a day, times with a moment.
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
