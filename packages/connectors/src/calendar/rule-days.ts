import { Temporal } from "temporal-polyfill";
import type { Rule } from "./rule-parts.ts";

/**
 * Covers more than a lifetime of days, and centuries of longer periods. A rule without a date in
 * this range has none.
 */
const maxPeriods = { DAILY: 50_000, WEEKLY: 10_000, MONTHLY: 10_000, YEARLY: 10_000 };

/**
 * A century of periods without a date. Others write rules too, and the search for a date that does
 * not exist blocks the process. The rarest date, a February 29 on a given weekday, is at most 40
 * years away.
 */
const maxEmptyPeriods = { DAILY: 36_525, WEEKLY: 5_218, MONTHLY: 1_200, YEARLY: 100 };

/** Generates the days of a rule in order, starting at `first` (RFC 5545, 3.3.10). */
export function* daysOf(rule: Rule, first: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  const { frequency, interval } = rule;
  let empty = 0;
  for (let step = 0; step < maxPeriods[frequency]; step += interval) {
    const days = positioned(rule, periodOf(rule, first, step));
    empty = days.length === 0 ? empty + 1 : 0;
    if (empty > maxEmptyPeriods[frequency]) return;
    for (const day of days) if (Temporal.PlainDate.compare(day, first) >= 0) yield day;
  }
}

function periodOf(rule: Rule, first: Temporal.PlainDate, step: number): Temporal.PlainDate[] {
  if (rule.frequency === "DAILY")
    return [first.add({ days: step })].filter((day) => isIn(rule, day) && isOn(rule, day));
  if (rule.frequency === "WEEKLY") return weekOf(rule, first, step);
  if (rule.frequency === "MONTHLY")
    return monthOf(rule, first, first.toPlainYearMonth().add({ months: step }));
  const year = first.year + step;
  if (rule.days?.some(({ nth }) => nth !== undefined) === true && !rule.months)
    return countedDays(
      rule,
      Temporal.PlainDate.from({ year, month: 1, day: 1 }),
      first.with({ year }).daysInYear,
    );
  const all = Array.from({ length: 12 }, (_, index) => index + 1);
  return (rule.months ?? ((rule.days ?? rule.monthDays) ? all : [first.month])).flatMap((month) =>
    monthOf(rule, first, Temporal.PlainYearMonth.from({ year, month })),
  );
}

function weekOf(rule: Rule, first: Temporal.PlainDate, step: number): Temporal.PlainDate[] {
  const begins = first
    .subtract({ days: (first.dayOfWeek - rule.weekStart + 7) % 7 })
    .add({ weeks: step });
  const week = Array.from({ length: 7 }, (_, index) => begins.add({ days: index }));
  return week.filter(
    (day) => isIn(rule, day) && (rule.days ? isOn(rule, day) : day.dayOfWeek === first.dayOfWeek),
  );
}

function monthOf(
  rule: Rule,
  first: Temporal.PlainDate,
  month: Temporal.PlainYearMonth,
): Temporal.PlainDate[] {
  const { daysInMonth } = month;
  if (rule.months?.includes(month.month) === false) return [];
  if (rule.days && !rule.monthDays)
    return countedDays(rule, month.toPlainDate({ day: 1 }), daysInMonth);
  const dayNumbers = (rule.monthDays ?? [first.day]).map((day) =>
    day < 0 ? daysInMonth + 1 + day : day,
  );
  // Months without that day are skipped.
  const days = [...new Set(dayNumbers)]
    .filter((day) => day >= 1 && day <= daysInMonth)
    .toSorted((a, b) => a - b);
  return days.map((day) => month.toPlainDate({ day })).filter((day) => isOn(rule, day));
}

/** The weekdays in a month or year: all of them, or only the numbered ones. */
function countedDays(
  { days = [] }: Rule,
  begins: Temporal.PlainDate,
  length: number,
): Temporal.PlainDate[] {
  const weekday = begins.dayOfWeek;
  const found = Array.from({ length }, (_, index) => index).filter((index) =>
    days.some(
      (day) =>
        day.weekday === ((weekday - 1 + index) % 7) + 1 &&
        (day.nth === undefined ||
          day.nth ===
            (day.nth > 0
              ? Math.floor(index / 7) + 1
              : -(Math.floor((length - 1 - index) / 7) + 1))),
    ),
  );
  return found.map((index) => begins.add({ days: index }));
}

function isIn({ months, monthDays }: Rule, day: Temporal.PlainDate): boolean {
  return (
    months?.includes(day.month) !== false &&
    monthDays?.some((wanted) => wanted === day.day || wanted === day.day - day.daysInMonth - 1) !==
      false
  );
}

function isOn({ days }: Rule, day: Temporal.PlainDate): boolean {
  return days?.some(({ weekday }) => weekday === day.dayOfWeek) !== false;
}

function positioned({ positions }: Rule, days: Temporal.PlainDate[]): Temporal.PlainDate[] {
  if (!positions) return days;
  return days.filter(
    (_, index) => positions.includes(index + 1) || positions.includes(index - days.length),
  );
}
