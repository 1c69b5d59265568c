import type { EventTime } from "./event-time.ts";
import { simpleRule, type SimpleRule } from "./rule-parts.ts";
import { readUntil } from "./rule-until.ts";
import { momentInWords, weekdayInWords } from "./time-words.ts";

const units = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" } as const;

/** The simple rules in words; all others as they are, because words would leave something out. */
export function ruleInWords(text: string, start: EventTime): string {
  const rule = simpleRule(text);
  const end = rule && endInWords(rule, start);
  if (!rule || end === undefined) return text;
  const unit = units[rule.frequency];
  const days = rule.weekdays ? ` on ${rule.weekdays.map(weekdayInWords).join(" and ")}` : "";
  return `every ${rule.interval === 1 ? unit : `${rule.interval} ${unit}s`}${days}, ${end}`;
}

function endInWords({ count, until }: SimpleRule, start: EventTime): string | undefined {
  if (count !== undefined) return count === 1 ? "once" : `${count} times`;
  if (until === undefined) return "without an end";
  const last = readUntil(until, start);
  if (!last) return undefined;
  return "date" in last ? `until ${momentInWords(last)}` : `until ${momentInWords(last)} (${last.timeZone})`;
}
