import type { SlotReader } from "../recipe/slot.ts";
import type { Text } from "../recipe/text.ts";

/** Days that a text names. Both ends are included. */
export interface Days {
  /** "2026-11-16" */
  readonly from: string;
  readonly to: string;
  /** For "the next 7 days" 7, for "the last 7 days" -7, otherwise 0. */
  readonly count: number;
  /** Why the days could not be resolved. */
  readonly problem?: "no today" | "no such day";
}

const weekdays =
  "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?";
export const months =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const numbers =
  "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|forty-five|ninety";
export const numberPattern = `(?:\\d{1,3}|an?|${numbers})`;

export function numberOf(word: string): number {
  if (/^an?$/.test(word)) return 1;
  const at = numbers.split("|").indexOf(word);
  return at < 0 ? Number(word) : ([14, 15, 20, 30, 45, 90][at - 13] ?? at);
}

export function plusDays(day: string, days: number): string {
  const time = Date.parse(`${day}T00:00:00Z`) + days * 86_400_000;
  return Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 10);
}

/** The day of an ISO date or of a time in its own offset, or "". */
export function dayOf(time: unknown): string {
  const [day = ""] = (typeof time === "string" && /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(time)) || [];
  // An impossible day such as 2026-02-31 becomes another day.
  return plusDays(day, 0) === day ? day : "";
}

type Groups = Readonly<Record<string, string | undefined>>;
type Span = readonly [from: string, to?: string, count?: number];

const indexIn = (names: string, name: string) =>
  names.split("|").findIndex((pattern) => new RegExp(`^(?:${pattern})$`).test(name));
/** Monday is 0. */
const weekdayOf = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
const stepsAhead = (which = "this") =>
  which === "next" || which === "coming" ? 1 : which === "this" ? 0 : -1;
const daysIn = (unit = "") => (unit.startsWith("w") ? 7 : unit.startsWith("m") ? 30 : 1);
const lasting = (count: number, today: string): Span =>
  count < 0 ? [plusDays(today, count), today, count] : [today, plusDays(today, count), count];

/** A date without a year is the nearest one. */
function dated({ day = "", month = "", year }: Groups, today: string): Span | undefined {
  const number = /^\d/.test(month) ? Number(month) : indexIn(months, month) + 1;
  const thisYear = Number(today.slice(0, 4));
  const years = year === undefined ? [thisYear, thisYear + 1, thisYear - 1] : [Number(year)];
  const distance = (one: string) => Math.abs(Date.parse(one) - Date.parse(today));
  const [nearest] = years
    .map((one) => dayOf([one, number, day].map((part) => String(part).padStart(2, "0")).join("-")))
    .filter((one) => one !== "")
    .toSorted((a, b) => distance(a) - distance(b));
  return nearest === undefined ? undefined : [nearest];
}

/** More specific forms come first. */
const forms: readonly (readonly [
  string,
  (groups: Groups, today: string, isAhead: boolean) => Span | undefined,
])[] = [
  ["(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})", dated],
  [
    `(?:(?:${weekdays}),? )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${months})\\b(?:,? (?<year>\\d{4}))?`,
    dated,
  ],
  [
    `(?:(?:${weekdays}),? )?(?<month>${months})\\b (?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? (?<year>\\d{4}))?`,
    dated,
  ],
  ["(?:the )?day after tomorrow", (_, today) => [plusDays(today, 2)]],
  ["tomorrow", (_, today) => [plusDays(today, 1)]],
  ["today|tonight|(?:my|the) day", (_, today) => [today]],
  ["yesterday", (_, today) => [plusDays(today, -1)]],
  [
    `(?:the )?(?<which>next|coming|last|past) (?<count>${numberPattern}) (?<unit>days?|weeks?|months?)`,
    ({ which, count = "", unit }, today) =>
      lasting(stepsAhead(which) * numberOf(count) * daysIn(unit), today),
  ],
  ["the (?:last|past) (?<unit>week|month)", ({ unit }, today) => lasting(-daysIn(unit), today)],
  [
    `in (?<count>${numberPattern}) (?<unit>days?|weeks?)`,
    ({ count = "", unit }, today) => [plusDays(today, numberOf(count) * daysIn(unit))],
  ],
  [
    "(?:the )?(?<which>next|last|this|coming) (?<unit>week(?:end)?)|my week",
    ({ which, unit }, today) => {
      const monday = plusDays(today, 7 * stepsAhead(which) - weekdayOf(today));
      return [plusDays(monday, unit === "weekend" ? 5 : 0), plusDays(monday, 6)];
    },
  ],
  [
    "(?<which>next|last|this) month",
    ({ which }, today) => {
      const first = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
      first.setUTCMonth(first.getUTCMonth() + stepsAhead(which));
      const next = new Date(first);
      next.setUTCMonth(next.getUTCMonth() + 1);
      return [first.toISOString().slice(0, 10), plusDays(next.toISOString().slice(0, 10), -1)];
    },
  ],
  [
    `(?:(?<which>next|last|this|coming) )?(?<weekday>${weekdays})\\b`,
    ({ which, weekday = "" }, today, isAhead) => {
      const away = (indexIn(weekdays, weekday) - weekdayOf(today) + 7) % 7;
      if (which === "last") return [plusDays(today, away - 7)];
      return [
        plusDays(today, away === 0 && (which ?? (isAhead ? "next" : "this")) !== "this" ? 7 : away),
      ];
    },
  ],
];

const anyForm = forms.map(([pattern]) => pattern.replace(/\(\?<\w+>/g, "(?:")).join("|");
const lead =
  "(?<!\\b(?:every|each)\\s+)(?:(?<![a-z'])(?:on|for|of|from|over|during|by|in|within|at)\\s+)*";
const range = new RegExp(
  `(?<![a-z\\d])(?:from|between)\\s+(?<first>${anyForm})\\s+(?:to|until|and)\\s+(?<last>${anyForm})(?![a-z\\d])`,
);
const start = new RegExp(`(?<![a-z])(?:since|starting)\\s+(?<value>${anyForm})(?![a-z\\d])`);
const single = new RegExp(`${lead}(?<![a-z\\d])(?<value>${anyForm})(?:'s)?(?![a-z\\d])`);

/**
 * Takes the days out of a text. Undefined when it names none. Today's weekday is today, unless the
 * day must be ahead.
 */
export function takeDays(text: Text, today: string, isAhead = false): Days | undefined {
  const pair = text.takeGroups(range);
  if (pair !== undefined) {
    const [first, last] = [resolve(pair["first"], today), resolve(pair["last"], today)];
    const isAhead = first.problem !== undefined || first.from <= last.to;
    return { ...first, to: isAhead ? last.to : plusDays(last.to, 7) };
  }
  const since = text.take(start);
  if (since !== undefined) {
    const isWeekday = new RegExp(`^(?:${weekdays})$`, "i").test(since);
    const first = resolve(isWeekday ? `last ${since}` : since, today);
    return first.problem === undefined ? { ...first, to: today } : first;
  }
  const day = text.take(single);
  return day === undefined ? undefined : resolve(day, today, isAhead);
}

export const days: SlotReader<Days> = (text, { today }) => takeDays(text, today);
export const daysAhead: SlotReader<Days> = (text, { today }) => takeDays(text, today, true);

function resolve(words: string | undefined, today: string, isAhead = false): Days {
  const text = (words ?? "").toLowerCase().replace(/\s+/g, " ").trim();
  const nothing = { from: "", to: "", count: 0 };
  for (const [pattern, read] of forms) {
    const match = new RegExp(`^(?:${pattern})$`).exec(text);
    if (match === null) continue;
    if (today === "" && match.groups?.["year"] === undefined)
      return { ...nothing, problem: "no today" };
    const [from, to = from, count = 0] = read(match.groups ?? {}, today, isAhead) ?? [];
    return from === undefined
      ? { ...nothing, problem: "no such day" }
      : { from, to: to ?? from, count };
  }
  return { ...nothing, problem: "no such day" };
}

/** "Monday, November 16, 2026", or "Nov 16" if short. Other texts stay unchanged. */
export function sayDay(time: unknown, isShort = false): string {
  const day = dayOf(time);
  if (day === "") return typeof time === "string" ? time : "";
  const options = isShort
    ? ({ day: "numeric", month: "short" } as const)
    : ({ weekday: "long", day: "numeric", month: "long", year: "numeric" } as const);
  return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
