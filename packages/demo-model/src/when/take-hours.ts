import type { Scratch } from "../mail/scratch.ts";
import { numberOf, numberPattern } from "./day-names.ts";

/** Minutes since midnight in local time. */
export type Minutes = number;

export interface HourSpan {
  readonly start: Minutes;
  /** Undefined when the text names only a start. */
  readonly end?: Minutes;
}

const half = "(?:am|pm|a\\.m\\.?|p\\.m\\.?)(?![a-z])";
const exact = `(?:\\d{1,2}:\\d{2}|\\d{1,2} ?h ?\\d{2}|\\d{1,2}\\.\\d{2}(?= ?uhr))(?: ?(?:${half}|uhr(?![a-z])))?`;
const whole = `\\d{1,2} ?(?:${half}|o'clock|uhr(?: \\d{2})?(?![a-z])|h(?![a-z])|heures?(?![a-z]))`;
const named = "(?:noon|midday|midnight|midi|minuit|mittags?|mitternacht)(?![a-z])";
const halved = "(?:half past \\d{1,2}|halb \\d{1,2})";
const hour = `(?:${halved}|${exact}|${whole}|${named})`;
const bare =
  "\\d{1,2}(?![\\d:.]|\\s?(?:%|minutes?|minuten|min|hours?|stunden?|days?|tage|jours?|euros?|eur)(?![a-z]))";
const notInWord = "(?<![\\w:.])";

const ranges = [
  new RegExp(
    `(?<![a-z])(?:from|between|von|zwischen|de|entre)\\s+(?<start>${hour}|${bare})\\s*(?:to|until|till|and|bis|und|a|et|-|–)\\s*(?<end>${hour}|${bare})`,
  ),
  new RegExp(
    `(?<![a-z])(?:(?:at|um|a)\\s+)?${notInWord}(?<start>${hour}|\\d{1,2})\\s*(?:-|–|to|until|bis)\\s*(?<end>${hour})`,
  ),
];
const single = new RegExp(
  `(?:(?<![a-z])(?:at|um|gegen|a|vers|auf|to|by|around|about|for|ab|from|des)\\s+)?${notInWord}(?<start>${hour})`,
);
const bareHour = new RegExp(
  `(?<![a-z])(?:at|um|gegen|vers)\\s+(?<start>${bare})|(?<![a-z])a\\s+(?<other>\\d{1,2})(?=\\s*(?:$|[,.;!?]))`,
);

/** Takes the hours out of the text. Lengths and dates must have been taken before. */
export function takeHours(scratch: Scratch): HourSpan | undefined {
  for (const pattern of ranges) {
    const groups = scratch.take(pattern)?.groups;
    const end = readHour(groups?.["end"]);
    const start = readHour(groups?.["start"], end);
    if (start !== undefined && end !== undefined) return { start, end };
  }
  const start = readHour(scratch.take(single)?.groups["start"]);
  if (start !== undefined) return { start };
  const loose = scratch.take(bareHour)?.groups;
  const guessed = readHour(loose?.["start"] ?? loose?.["other"]);
  // A bare hour in the early morning means the afternoon.
  return guessed === undefined
    ? undefined
    : { start: guessed >= 60 && guessed < 7 * 60 ? guessed + 720 : guessed };
}

function readHour(words: string | undefined, end?: Minutes): Minutes | undefined {
  const text = words?.toLowerCase().trim();
  if (text === undefined) return undefined;
  if (/^(?:noon|midday|midi|mittags?)$/.test(text)) return 720;
  if (/^(?:midnight|minuit|mitternacht)$/.test(text)) return 0;
  const [, hours = "", minutes = "0"] =
    /(\d{1,2})(?:\s?(?::|h|\.|uhr)\s?(\d{2}))?/.exec(text) ?? [];
  const isLate =
    /p\.?m/.test(text) ||
    (/^\d{1,2}$/.test(text) && end !== undefined && end > 780 && Number(hours) + 12 <= end / 60);
  const value =
    (isLate ? Number(hours) % 12 : Number(hours)) * 60 +
    Number(minutes) +
    (isLate ? 720 : 0) +
    (text.startsWith("half past") ? 30 : 0) -
    (text.startsWith("halb") ? 30 : 0);
  const early = /a\.?m/.test(text) && Number(hours) === 12 ? value - 720 : value;
  return hours !== "" && Number(minutes) < 60 && early >= 0 && early < 1_440 ? early : undefined;
}

const lengths: readonly (readonly [
  string,
  (groups: Readonly<Record<string, string | undefined>>) => number,
])[] = [
  [
    "(?:an |one )?hour and a half|anderthalb(?:stundige?[nrs]?| stunden)|eineinhalb stunden|une heure et demie",
    () => 90,
  ],
  ["three quarters of an hour|(?:eine )?dreiviertelstunde|trois quarts d'heure", () => 45],
  ["(?:a )?quarter of an hour|(?:eine )?viertelstunde|un quart d'heure", () => 15],
  [
    "half an hour|(?:a )?half[- ]hour|(?:eine )?halbe stunde|halbstundige?[nrs]?|(?:une )?demi-heure",
    () => 30,
  ],
  [
    "(?<count>\\d+(?:[.,]\\d+)?)[ -]?(?:minutes?|minuten|minutige?[nrs]?|mins?)(?![a-z])",
    ({ count = "" }) => toNumber(count),
  ],
  [
    "(?<count>\\d{1,2}) ?h ?(?<minutes>\\d{2})",
    ({ count = "", minutes = "" }) => toNumber(count) * 60 + Number(minutes),
  ],
  [
    `(?<count>\\d+[.,]\\d+|${numberPattern})[ -]?(?:hours?|hrs?|stunden?|stundige?[nrs]?|std|heures?)(?![a-z])`,
    ({ count = "" }) => toNumber(count) * 60,
  ],
  ["einstundige?[nrs]?", () => 60],
  ["zweistundige?[nrs]?", () => 120],
  [
    "(?:all day|all-day|the whole day|ganztagige?[nrs]?|den ganzen tag|toute la journee)",
    () => 1_440,
  ],
];
const lengthLead =
  "(?:(?<![a-z'])(?:for|lasting|of|fur|lang|pour|pendant|durant|d'|de|dure)\\s*)?(?:(?<![a-z])(?:a|an|eine[nrm]?|une?)\\s+(?=\\d))?";

/** Takes a length in minutes; 1,440 means whole days. */
export function takeLength(scratch: Scratch): number | undefined {
  for (const [pattern, minutes] of lengths) {
    // "à 15 heures" and "à 15h30" are times of the day; "pendant 1h30" is a length.
    const isClockLike = pattern.includes(" ?h ?") || pattern.includes("heures?");
    const taken = scratch.take(
      new RegExp(
        `${pattern.includes(" ?h ?") ? "(?<![a-z])(?:pendant|durant|pour|duree de)\\s+" : lengthLead}(?<![\\w:.]${isClockLike ? "|(?<![a-z])(?:a|vers|des) " : ""})(?:${pattern})(?: lang| long)?`,
      ),
    );
    if (taken !== undefined)
      return minutes(
        Object.fromEntries(
          Object.entries(taken.groups).map(([name, text]) => [name, text?.toLowerCase()]),
        ),
      );
  }
  return undefined;
}

function toNumber(words: string): number {
  const plain = words.normalize("NFD").replace(/\p{M}/gu, "").replace(",", ".");
  return Math.round(numberOf(plain) * 100) / 100;
}
