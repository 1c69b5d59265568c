import { omitUndefined } from "@bron/protocol";
export type RuleParts = ReadonlyMap<string, string>;

/** A weekday, and its number within the period if the rule numbers weekdays. -1 is the last. */
interface RuleDay {
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
  readonly nth?: number;
}

/** A rule whose dates we can compute. Lists are sorted where order matters. */
export interface Rule {
  readonly frequency: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  readonly interval: number;
  readonly days?: readonly RuleDay[];
  /** -1 is the last. */
  readonly monthDays?: readonly number[];
  readonly months?: readonly number[];
  /** Positions of the dates that count within a period. -1 is the last. */
  readonly positions?: readonly number[];
  readonly weekStart: number;
  readonly count?: number;
  readonly until?: string;
}

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** Undefined if the text is not a list of distinct parts. */
export function partsOf(rule: string): RuleParts | undefined {
  const pairs = rule
    .trim()
    .replace(/^RRULE:/i, "")
    .toUpperCase()
    .split(";")
    .filter(Boolean);
  const parts = pairs
    .map((pair) => /^([A-Z]+)=([A-Z0-9,+-]+)$/.exec(pair))
    .flatMap((found) => (found ? [[found[1] ?? "", found[2] ?? ""] as const] : []));
  const map = new Map(parts);
  return map.size === pairs.length && map.size > 0 ? map : undefined;
}

/** Undefined for a rule with unknown parts, or with parts that are ambiguous together. */
export function parseRule(text: string): Rule | undefined {
  const parts = partsOf(text);
  if (!parts) return undefined;
  const {
    FREQ,
    INTERVAL = "1",
    COUNT,
    UNTIL,
    BYDAY,
    BYMONTHDAY,
    BYMONTH,
    BYSETPOS,
    WKST = "MO",
    ...others
  } = Object.fromEntries(parts);
  const frequency = (["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const).find(
    (name) => name === FREQ,
  );
  const days = BYDAY?.split(",").map(readDay);
  const [monthDays, months, positions] = [
    numbers(BYMONTHDAY, -31, 31),
    numbers(BYMONTH, 1, 12),
    numbers(BYSETPOS, -366, 366),
  ];
  const weekStart = weekdays.indexOf(WKST) + 1;
  if (!frequency || weekStart === 0 || Object.keys(others).length > 0) return undefined;
  if ([INTERVAL, COUNT ?? "1"].some((value) => !/^[1-9]\d{0,3}$/.test(value))) return undefined;
  if (!monthDays || !months || !positions || days?.includes(undefined) === true) return undefined;
  const counted = days?.filter((day) => day?.nth !== undefined).length ?? 0;
  const isLong = frequency === "MONTHLY" || frequency === "YEARLY";
  // Calendars disagree on rules such as "Mondays and the second Friday".
  if (counted > 0 && (!isLong || monthDays.length > 0 || counted !== days?.length))
    return undefined;
  if (
    (monthDays.length > 0 && frequency === "WEEKLY") ||
    (positions.length > 0 && (!isLong || (!days && monthDays.length === 0)))
  )
    return undefined;
  return {
    frequency,
    interval: Number(INTERVAL),
    weekStart,
    ...(days ? { days: days.flatMap((day) => day ?? []) } : {}),
    ...(monthDays.length === 0 ? {} : { monthDays }),
    ...(months.length === 0 ? {} : { months }),
    ...(positions.length === 0 ? {} : { positions }),
    ...omitUndefined({ count: COUNT === undefined ? undefined : Number(COUNT), until: UNTIL }),
  };
}

function readDay(text: string): RuleDay | undefined {
  const [, nth, name = ""] = /^([+-]?[1-9]\d?)?([A-Z]{2})$/.exec(text) ?? [];
  const weekday = weekdays.indexOf(name) + 1;
  if (weekday === 0) return undefined;
  return nth === undefined ? { weekday } : { weekday, nth: Number(nth) };
}

/**
 * Sorted and without duplicates. Empty if there are none, undefined if a number is out of range.
 */
function numbers(text: string | undefined, least: number, most: number): number[] | undefined {
  const all =
    text === undefined
      ? []
      : text.split(",").map((value) => (/^[+-]?\d{1,3}$/.test(value) ? Number(value) : 0));
  return all.some((number) => number === 0 || number < least || number > most)
    ? undefined
    : [...new Set(all)].toSorted((a, b) => a - b);
}
