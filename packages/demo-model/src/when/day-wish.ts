import { omitUndefined } from "@bron/protocol";
import { Temporal } from "temporal-polyfill";

/** Days as the user named them. Some depend on today. */
export type DayWish =
  | { readonly kind: "offset"; readonly days: number }
  /**
   * `coming` is the first such day after today, `this` may be today, `past` is the last one and may
   * be today.
   */
  | {
      readonly kind: "weekday";
      readonly weekday: number;
      readonly which: "coming" | "this" | "past";
    }
  | { readonly kind: "weekdayOfWeek"; readonly weekday: number; readonly weeks: number }
  | { readonly kind: "date"; readonly day: number; readonly month?: number; readonly year?: number }
  | { readonly kind: "week" | "weekend" | "month"; readonly ahead: number }
  | { readonly kind: "namedMonth"; readonly month: number; readonly year?: number }
  /** Counts from today on. Negative counts end today. */
  | { readonly kind: "days"; readonly count: number }
  | { readonly kind: "since"; readonly first: DayWish }
  | { readonly kind: "span"; readonly first: DayWish; readonly last: DayWish };

/** Both ends are included. */
export interface DaySpan {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

/** How to choose the year of a date without one. */
export type YearChoice = "nearest" | "next";

/** Returns undefined for a day that does not exist. */
export function resolveDays(
  wish: DayWish,
  today: Temporal.PlainDate,
  choice: YearChoice = "nearest",
): DaySpan | undefined {
  switch (wish.kind) {
    case "offset":
      return oneDay(today.add({ days: wish.days }));
    case "weekday":
      return oneDay(weekdayFrom(today, wish.weekday, wish.which));
    case "weekdayOfWeek":
      return oneDay(mondayOf(today).add({ days: wish.weekday - 1 + 7 * wish.weeks }));
    case "date":
      return dated(wish, today, choice);
    case "week":
      return {
        from: mondayOf(today).add({ weeks: wish.ahead }),
        to: mondayOf(today).add({ days: 7 * wish.ahead + 6 }),
      };
    case "weekend":
      return {
        from: mondayOf(today).add({ days: 7 * wish.ahead + 5 }),
        to: mondayOf(today).add({ days: 7 * wish.ahead + 6 }),
      };
    case "month":
      return entireMonth(today.with({ day: 1 }).add({ months: wish.ahead }));
    case "namedMonth":
      return entireMonth(
        nearestYear(
          { day: 1, month: wish.month, ...omitUndefined({ year: wish.year }) },
          today,
          choice,
        ),
      );
    case "days":
      return wish.count < 0
        ? { from: today.add({ days: wish.count }), to: today }
        : { from: today, to: today.add({ days: wish.count }) };
    case "since": {
      const first = resolveDays(wish.first, today, choice);
      return first && Temporal.PlainDate.compare(first.from, today) <= 0
        ? { from: first.from, to: today }
        : undefined;
    }
    case "span": {
      const [first, last] = [
        resolveDays(wish.first, today, choice),
        resolveDays(wish.last, today, choice),
      ];
      return first && last && ordered({ from: first.from, to: last.to });
    }
  }
}

/** Whether the days depend on today. */
export function isRelative(wish: DayWish): boolean {
  if (wish.kind === "span") return isRelative(wish.first) || isRelative(wish.last);
  return !((wish.kind === "date" || wish.kind === "namedMonth") && wish.year !== undefined);
}

function oneDay(day: Temporal.PlainDate): DaySpan {
  return { from: day, to: day };
}

/** "Friday to Monday" spans the weekend. */
function ordered({ from, to }: DaySpan): DaySpan | undefined {
  if (Temporal.PlainDate.compare(from, to) <= 0) return { from, to };
  const later = to.add({ days: 7 });
  return Temporal.PlainDate.compare(from, later) <= 0 ? { from, to: later } : undefined;
}

function mondayOf(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.subtract({ days: day.dayOfWeek - 1 });
}

function weekdayFrom(
  today: Temporal.PlainDate,
  weekday: number,
  which: "coming" | "this" | "past",
): Temporal.PlainDate {
  const ahead = (weekday - today.dayOfWeek + 7) % 7;
  if (which === "past") return today.subtract({ days: (7 - ahead) % 7 });
  return today.add({ days: ahead === 0 && which === "coming" ? 7 : ahead });
}

function entireMonth(first: Temporal.PlainDate | undefined): DaySpan | undefined {
  return first && { from: first, to: first.with({ day: first.daysInMonth }) };
}

function dated(
  { day, month, year }: Extract<DayWish, { kind: "date" }>,
  today: Temporal.PlainDate,
  choice: YearChoice,
): DaySpan | undefined {
  if (month !== undefined) {
    const found = nearestYear({ day, month, ...omitUndefined({ year }) }, today, choice);
    return found && oneDay(found);
  }
  const months = [0, 1, 2]
    .map((ahead) => today.with({ day: 1 }).add({ months: ahead }))
    .filter(({ daysInMonth }) => day >= 1 && day <= daysInMonth);
  const found = months
    .map((first) => first.with({ day }))
    .find((one) => Temporal.PlainDate.compare(one, today) >= 0);
  return found && oneDay(found);
}

function nearestYear(
  { day, month, year }: { readonly day: number; readonly month: number; readonly year?: number },
  today: Temporal.PlainDate,
  choice: YearChoice,
): Temporal.PlainDate | undefined {
  const years = year === undefined ? [-1, 0, 1].map((ahead) => today.year + ahead) : [year];
  const days = years.flatMap((one) => validDay(one, month, day));
  const distance = (one: Temporal.PlainDate) => Math.abs(today.until(one).total("days"));
  if (year !== undefined) return days[0];
  const open =
    choice === "next" ? days.filter((one) => Temporal.PlainDate.compare(one, today) >= 0) : days;
  return open.toSorted((a, b) => distance(a) - distance(b))[0];
}

function validDay(year: number, month: number, day: number): readonly Temporal.PlainDate[] {
  try {
    return [Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" })];
  } catch {
    return [];
  }
}
