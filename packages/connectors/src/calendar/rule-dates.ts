import { BronError } from "@bron/core";
import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";
import { simpleRule, type SimpleRule } from "./rule-parts.ts";
import { readUntil } from "./rule-until.ts";
import { dateInWords, momentInWords, weekdayInWords } from "./time-words.ts";

const named = 4;
/** Further ones are not counted. */
const mostCounted = 1_000;

/** Refuses a start that is none of the rule's own dates: calendars do not agree on what that means. Throws invalid_arguments. */
export function checkStart(text: string, start: EventTime): void {
  const rule = simpleRule(text);
  if (!rule) return;
  const first = firstDay(start);
  const refuse = (why: string): never => {
    throw new BronError("invalid_arguments", `recurrence: ${text} does not fit a series that begins on ${momentInWords(start)}: ${why}.`);
  };
  if (rule.weekdays?.includes(first.dayOfWeek) === false) refuse(`it repeats on ${rule.weekdays.map(weekdayInWords).join(" and ")}, and that is a ${weekdayInWords(first.dayOfWeek)}`);
  if (rule.until !== undefined && "date" in start && rule.until.includes("T")) refuse("it ends at a time, and the event has days only");
  if (countDates(rule, start).dates.length === 0) refuse("it would end before it begins");
}

/** The first dates and the last one, so that nobody has to reckon. Undefined where a rule is not simple enough to be sure. */
export function datesInWords(text: string, start: EventTime): string | undefined {
  const rule = simpleRule(text);
  if (!rule) return undefined;
  const { dates, isAll } = countDates(rule, start);
  const words = dates.map((date) => dateInWords(date.toString()));
  if (!isAll) return `${words.slice(0, named).join(", ")} and so on`;
  const shown = words.length <= named + 1 ? words.join(", ") : `${words.slice(0, named).join(", ")} … ${words.at(-1) ?? ""}`;
  return `${shown} (${words.length} in all)`;
}

function countDates(rule: SimpleRule, start: EventTime): { readonly dates: Temporal.PlainDate[]; readonly isAll: boolean } {
  const dates: Temporal.PlainDate[] = [];
  const until = rule.until === undefined ? undefined : readUntil(rule.until, start);
  for (const date of walk(rule, firstDay(start))) {
    if (dates.length === rule.count || (until && isAfter(date, start, until))) return { dates, isAll: true };
    if (dates.length === mostCounted) break;
    dates.push(date);
  }
  return { dates, isAll: false };
}

function* walk({ frequency, interval, weekdays }: SimpleRule, first: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  const monday = first.subtract({ days: first.dayOfWeek - 1 });
  for (let step = 0; step < mostCounted * 50; step += interval) {
    if (frequency === "DAILY") yield first.add({ days: step });
    else if (frequency === "WEEKLY") {
      for (const weekday of weekdays ?? [first.dayOfWeek]) {
        const date = monday.add({ weeks: step, days: weekday - 1 });
        if (Temporal.PlainDate.compare(date, first) >= 0) yield date;
      }
    } else {
      const date = first.add(frequency === "MONTHLY" ? { months: step } : { years: step });
      // Months without that day are left out.
      if (date.day === first.day) yield date;
    }
  }
}

function firstDay(start: EventTime): Temporal.PlainDate {
  return "date" in start ? Temporal.PlainDate.from(start.date) : inOwnZone(start).toPlainDate();
}

/** Every occurrence begins at the hour of the first, on the clocks of its zone. */
function isAfter(date: Temporal.PlainDate, start: EventTime, until: EventTime): boolean {
  if ("date" in start || "date" in until) return "date" in until && Temporal.PlainDate.compare(date, until.date) > 0;
  const at = date.toZonedDateTime({ timeZone: start.timeZone, plainTime: inOwnZone(start).toPlainTime() });
  return Temporal.Instant.compare(at.toInstant(), Temporal.Instant.from(until.dateTime)) > 0;
}

function inOwnZone({ dateTime, timeZone }: { readonly dateTime: string; readonly timeZone: string }): Temporal.ZonedDateTime {
  return Temporal.Instant.from(dateTime).toZonedDateTimeISO(timeZone);
}
