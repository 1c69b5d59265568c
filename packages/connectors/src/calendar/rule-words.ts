import type { EventTime } from "./event-time.ts";
import { parseRule, type Rule } from "./rule-parts.ts";
import { readUntil } from "./rule-until.ts";
import { momentInWords, weekdayInWords } from "./time-words.ts";

const units = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" } as const;
const nths = new Map([
  [1, "first"],
  [2, "second"],
  [3, "third"],
  [4, "fourth"],
  [-1, "last"],
]);

/**
 * Describes common rules in words. Returns other rules literally, because words would be
 * incomplete.
 */
export function ruleInWords(text: string, start: EventTime): string {
  const rule = parseRule(text);
  const end = rule && endInWords(rule, start);
  const days = rule && daysInWords(rule);
  if (!rule || end === undefined || days === undefined) return text;
  const unit = units[rule.frequency];
  return `every ${rule.interval === 1 ? unit : `${rule.interval} ${unit}s`}${days}, ${end}`;
}

/** Undefined if there are no plain words for it. */
function daysInWords({
  frequency,
  interval,
  days,
  monthDays,
  months,
  positions,
  weekStart,
}: Rule): string | undefined {
  if (months || positions) return undefined;
  if (!days && !monthDays) return "";
  // A different first day of the week changes which weeks count.
  if (frequency === "WEEKLY" && days && (weekStart === 1 || interval === 1))
    return ` on ${days
      .toSorted((a, b) => a.weekday - b.weekday)
      .map(({ weekday }) => weekdayInWords(weekday))
      .join(" and ")}`;
  if (frequency !== "MONTHLY" || (days && monthDays)) return undefined;
  if (monthDays)
    return monthDays.every((day) => day > 0) ? ` on day ${monthDays.join(" and ")}` : undefined;
  const words = days?.map(({ weekday, nth }) =>
    nths.has(nth ?? 0) ? `the ${nths.get(nth ?? 0) ?? ""} ${weekdayInWords(weekday)}` : undefined,
  );
  return words?.includes(undefined) === false ? ` on ${words.join(" and ")}` : undefined;
}

function endInWords({ count, until }: Rule, start: EventTime): string | undefined {
  if (count !== undefined) return count === 1 ? "once" : `${count} times`;
  if (until === undefined) return "no end date";
  const last = readUntil(until, start);
  if (!last) return undefined;
  return "date" in last
    ? `until ${momentInWords(last)}`
    : `until ${momentInWords(last)} (${last.timeZone})`;
}
