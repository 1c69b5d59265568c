import type { Scratch } from "./scratch.ts";

const numbers: Readonly<Record<string, number>> = {
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  ten: 10,
  fourteen: 14,
  thirty: 30,
  sixty: 60,
  ninety: 90,
  couple: 2,
  few: 3,
  zwei: 2,
  drei: 3,
  vier: 4,
  funf: 5,
  sechs: 6,
  sieben: 7,
  zehn: 10,
  vierzehn: 14,
  dreissig: 30,
  dreisig: 30,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  sept: 7,
  dix: 10,
  quinze: 15,
  trente: 30,
};
const amount = `(?<amount>\\d{1,4}|(?:a )?(?:${Object.keys(numbers).join("|")})(?: of)?)`;
const unit =
  "(?<unit>hours?|days?|weeks?|months?|years?|stunden?|tage?n?s?|wochen?|monate?n?s?|jahre?n?s?|heures?|jours?|semaines?|mois|ans?|annees?)";
const letters: readonly (readonly [RegExp, string, number])[] = [
  [/^(?:hour|stunde|heure)/, "h", 1],
  [/^(?:day|tag|jour)/, "d", 1],
  [/^(?:week|woche|semaine)/, "d", 7],
  [/^(?:month|monat|mois)/, "m", 1],
  [/./, "y", 1],
];
const lead =
  "(?:(?:from|in|within|over|during|of|for|since|not older than|aus|von|vom|innerhalb|binnen|wahrend|seit|au cours|pendant|depuis|dans|sur)\\s+)?(?:(?:the|den|der|dem|des|les|ces|le|la)\\s+)?";

const counted: readonly RegExp[] = [
  new RegExp(
    `${lead}(?:last|past|previous|recent|letzten|vergangenen|letzte|vorigen)\\s+${amount}\\s+${unit}\\b`,
  ),
  new RegExp(`${lead}${amount}\\s+(?:derniers?|dernieres?)\\s+${unit}\\b`),
  new RegExp(`${lead}(?:derniers?|dernieres?)\\s+${amount}\\s+${unit}\\b`),
];

/** "Last week" may have started almost two weeks ago. */
const named: readonly (readonly [RegExp, string])[] = [
  [
    /(?:the )?(?:past|last 7 days|this) week\b|\b(?:in )?diese[rn]? woche\b|\bcette semaine\b/,
    "7d",
  ],
  [
    /(?:the )?(?:last|previous) week\b|\b(?:in |aus )?(?:der )?(?:letzten?|vorigen?|vergangenen?)r? woche\b|\b(?:la )?semaine (?:derniere|passee)\b/,
    "14d",
  ],
  [/(?:the )?(?:past|this) month\b|\b(?:in )?diese[nms] monats?\b|\bce mois(?:-ci)?\b/, "1m"],
  [
    /(?:the )?(?:last|previous) month\b|\b(?:im |aus dem |vom )?(?:letzte[nms]|vorige[nms]|vergangene[nms]) monats?\b|\b(?:le |du )?mois (?:dernier|passe)\b/,
    "2m",
  ],
  [/(?:the )?(?:past|this) year\b|\b(?:in )?dieses? jahr(?:es)?\b|\bcette annee\b/, "1y"],
  [
    /(?:the )?(?:last|previous) year\b|\b(?:letztes|voriges|vergangenes|letzten) jahr(?:es)?\b|\b(?:l')?an(?:nee)? (?:derniere?|passee)\b/,
    "2y",
  ],
  [/\btoday(?:'s)?\b|\bheut(?:e|ige[nrs]?)\b|\baujourd'hui\b|\bdu jour\b/, "1d"],
  [/\byesterday(?:'s)?\b|\bgestern\b|\bgestrige[nrs]?\b|\bhier\b/, "2d"],
];

/** Takes the maximum age of the mail, in Gmail's notation. */
export function takeAge(scratch: Scratch): string | undefined {
  for (const pattern of counted) {
    const taken = scratch.take(pattern);
    const [, letter = "d", factor = 1] =
      letters.find(([word]) => word.test((taken?.groups["unit"] ?? "").toLowerCase())) ?? [];
    const words = (taken?.groups["amount"] ?? "").toLowerCase().replace(/^a | of$/g, "");
    if (taken !== undefined)
      return `${(numbers[words.normalize("NFD").replace(/\p{M}/gu, "")] ?? Number(words)) * factor}${letter}`;
  }
  return named.find(
    ([pattern]) =>
      scratch.take(
        new RegExp(`(?:\\b(?:from|since|of|in|von|seit|de|d')\\s*)?(?:${pattern.source})`),
      ) !== undefined,
  )?.[1];
}

/** Takes explicit days as query operators: "since 2026-10-01", "vor dem 2026-11-01". */
export function takeDays(scratch: Scratch): readonly string[] {
  const day = "(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})";
  const found: string[] = [];
  for (const [operator, words] of [
    ["after", "since|after|from|seit|nach|ab|ab dem|nach dem|depuis|depuis le|apres|apres le"],
    ["before", "before|until|vor|vor dem|bis|bis zum|avant|avant le|jusqu'au"],
  ] as const) {
    const groups = scratch.take(new RegExp(`\\b(?:${words})\\s+(?:the )?${day}`))?.groups;
    if (groups !== undefined)
      found.push(
        `${operator}:${groups["year"]}/${groups["month"]?.padStart(2, "0")}/${groups["day"]?.padStart(2, "0")}`,
      );
  }
  return found;
}
