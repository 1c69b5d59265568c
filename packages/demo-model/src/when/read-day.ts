import { omitUndefined } from "@bron/protocol";
import {
  monthNumber,
  monthPattern,
  numberOf,
  numberPattern,
  weekdayNumber,
  weekdayPattern,
} from "./day-names.ts";
import type { DayWish } from "./day-wish.ts";

type Groups = Readonly<Record<string, string | undefined>>;

interface DayForm {
  readonly pattern: string;
  read(groups: Groups): DayWish;
}

const next = "next|coming|upcoming|nachste[nrms]?|kommende[nrms]?";
const last = "last|past|previous|letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?";
const ofThis = "this|diese[nrms]?|ce|cet|cette";
/** A weekday before a date is redundant. */
const maybeWeekday = `(?:${weekdayPattern},?\\s+(?:the |den |dem |le )?)?`;

const aheadOf = (word: string | undefined): number =>
  word === undefined
    ? 0
    : new RegExp(`^(?:${next}|prochaine?)$`).test(word)
      ? 1
      : new RegExp(`^(?:${last}|derniere?|passee?)$`).test(word)
        ? -1
        : 0;
const whichOf = (word: string | undefined): "coming" | "this" | "past" => {
  if (word === undefined) return "coming";
  const ahead = aheadOf(word);
  return ahead < 0 ? "past" : ahead > 0 ? "coming" : "this";
};
const unitDays = (word = ""): number => (/^(?:w|s)/.test(word) ? 7 : word.startsWith("m") ? 30 : 1);
const unit = "(?<unit>days?|weeks?|months?|tage?n?|wochen?|monate?n?|jours?|semaines?|mois)";
const offset = (pattern: string, days: number): DayForm => ({
  pattern,
  read: () => ({ kind: "offset", days }),
});
const date = ({ day, month, year }: Groups): DayWish => ({
  kind: "date",
  day: Number(day),
  ...omitUndefined({
    month: month === undefined ? undefined : /^\d/.test(month) ? Number(month) : monthNumber(month),
    year: year === undefined ? undefined : year.length === 2 ? 2000 + Number(year) : Number(year),
  }),
});

/** More specific forms come first. Patterns are written folded. */
const forms: readonly DayForm[] = [
  { pattern: "(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})", read: date },
  {
    pattern: `${maybeWeekday}(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}|\\d{2})(?!\\d|:))?`,
    read: date,
  },
  {
    pattern: `${maybeWeekday}(?<day>\\d{1,2})/(?<month>\\d{1,2})(?:/(?<year>\\d{4}))?(?!\\d|/)`,
    read: date,
  },
  {
    pattern: `${maybeWeekday}(?<day>\\d{1,2})(?:st|nd|rd|th|er|\\.)?\\s+(?:of )?(?<month>${monthPattern})(?:,?\\s+(?<year>\\d{4}))?`,
    read: date,
  },
  {
    pattern: `${maybeWeekday}(?<month>${monthPattern})\\s+(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?\\s+(?<year>\\d{4}))?`,
    read: date,
  },
  offset("(?:the )?day after tomorrow|ubermorgen|apres-demain", 2),
  offset("(?:the )?day before yesterday|vorgestern|avant-hier", -2),
  offset("tomorrow(?:'s)?|morgen|morgigen?|demain", 1),
  offset("today(?:'s)?|heute|heutigen?|aujourd'hui|tonight|now", 0),
  offset("yesterday(?:'s)?|gestern|gestrigen?", -1),
  {
    pattern: `(?:in|dans)\\s+(?<count>${numberPattern})\\s+${unit}`,
    read: ({ count = "", unit: word }) => ({
      kind: "offset",
      days: numberOf(count) * unitDays(word),
    }),
  },
  {
    pattern: `(?<weekday>${weekdayPattern})\\s+(?:of |in )?(?:the |der |de la |in der )?(?:(?<which>${next}|${last}|${ofThis})\\s+(?:week|woche)|semaine\\s+(?<after>prochaine|derniere))`,
    read: ({ weekday = "", which, after }) => ({
      kind: "weekdayOfWeek",
      weekday: weekdayNumber(weekday),
      weeks: aheadOf(which ?? after),
    }),
  },
  {
    pattern: `(?<which>${next}|${last}|${ofThis})\\s+(?:week|woche)(?:'s)?,?\\s+(?:on |am )?(?<weekday>${weekdayPattern})`,
    read: ({ weekday = "", which }) => ({
      kind: "weekdayOfWeek",
      weekday: weekdayNumber(weekday),
      weeks: aheadOf(which),
    }),
  },
  {
    pattern: `(?:(?<which>${next}|${last}|${ofThis})\\s+)?(?<weekday>${weekdayPattern})(?:\\s+(?<after>prochain|dernier|passe))?`,
    read: ({ which, after, weekday = "" }) => ({
      kind: "weekday",
      weekday: weekdayNumber(weekday),
      which: whichOf(which ?? after),
    }),
  },
  {
    pattern: `(?:${next}|les|ces)?\\s*(?<count>${numberPattern})\\s+prochaine?s\\s+${unit}|(?:${next})\\s+(?<other>${numberPattern})\\s+(?<unit2>days?|weeks?|months?|tage?n?|wochen?|monate?n?)`,
    read: ({ count, other, unit: first, unit2 }) => ({
      kind: "days",
      count: numberOf(count ?? other ?? "") * unitDays(first ?? unit2),
    }),
  },
  {
    pattern: `(?:les|ces|des)?\\s*(?<count>${numberPattern})\\s+derniere?s\\s+${unit}|(?:${last})\\s+(?<other>${numberPattern}(?: of)?)\\s+(?<unit2>days?|weeks?|months?|tage?n?|wochen?|monate?n?)`,
    read: ({ count, other, unit: first, unit2 }) => ({
      kind: "days",
      count: -numberOf((count ?? other ?? "").replace(/ of$/, "")) * unitDays(first ?? unit2),
    }),
  },
  { pattern: "week after next|ubernachste[nr]? woche", read: () => ({ kind: "week", ahead: 2 }) },
  {
    pattern: `(?:(?<which>${next}|${last}|${ofThis})\\s+)?(?:weekend|wochenende)|(?:ce )?week-end(?:\\s+(?<after>prochain|dernier))?`,
    read: ({ which, after }) => ({ kind: "weekend", ahead: aheadOf(which ?? after) }),
  },
  {
    pattern: `(?:the )?(?:rest of (?:the|this) )?(?<which>${next}|${last}|${ofThis})\\s+(?:week|woche)|(?:la |cette )?semaine(?:\\s+(?<after>prochaine|derniere|passee))?(?: en cours)?`,
    read: ({ which, after }) => ({ kind: "week", ahead: aheadOf(which ?? after) }),
  },
  {
    pattern: `(?<which>${next}|${last}|${ofThis})\\s+(?:month|monats?)|(?:le |ce )?mois(?:-ci|\\s+(?<after>prochain|dernier|passe))`,
    read: ({ which, after }) => ({ kind: "month", ahead: aheadOf(which ?? after) }),
  },
  {
    pattern: `(?:in|im|en|for|during)\\s+(?<month>${monthPattern})(?:\\s+(?<year>\\d{4}))?`,
    read: ({ month = "", year }) => ({
      kind: "namedMonth",
      month: monthNumber(month),
      ...omitUndefined({ year: year === undefined ? undefined : Number(year) }),
    }),
  },
  {
    pattern:
      "(?:the|den|dem|le|zum)\\s+(?<day>\\d{1,2})(?:st|nd|rd|th|\\.|er)?(?![\\d:.]|\\s?(?:h|heures?|uhr|pm?|am)\\b)|am\\s+(?<day2>\\d{1,2})\\.(?!\\d)",
    read: ({ day, day2 }) => date({ day: day ?? day2 }),
  },
];

/** Matches any of the forms, without named groups. */
export const dayPattern = `(?:${forms.map(({ pattern }) => pattern.replace(/\(\?<\w+>/g, "(?:")).join("|")})`;

/** Parses folded text that is exactly one of the forms. "hier" is a day in French only. */
export function readDay(words: string): DayWish | undefined {
  const text = words.trim();
  if (text === "hier") return { kind: "offset", days: -1 };
  for (const { pattern, read } of forms) {
    const match = new RegExp(`^(?:${pattern})$`).exec(text);
    if (match !== null) return read(match.groups ?? {});
  }
  return undefined;
}
