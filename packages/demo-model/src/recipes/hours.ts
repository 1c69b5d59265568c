import { createText, type Text } from "../recipe/text.ts";
import { numberOf, numberPattern } from "./days.ts";

/** Minutes since midnight in local time. */
export interface Hours {
  readonly start: number;
  /** Undefined when the text names only a start. */
  readonly end?: number;
}

const half = "(?:am|pm|a\\.m\\.?|p\\.m\\.?)(?![a-z])";
const named = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const minutes = "(?::\\d{2}|\\.[0-5]\\d(?!\\.?\\d|\\s?(?:%|[€$£]|eur|usd|gbp|k)))";
const hour = `(?:(?:half past|quarter past|quarter to) (?:\\d{1,2}|${named})(?![a-z])|\\d{1,2}${minutes}(?: ?${half})?|(?:\\d{1,2}|${named}) ?(?:${half}|o'clock)|(?:noon|midday|midnight)(?![a-z]))`;
const bare = "\\d{1,2}(?![\\d:./]|\\s?(?:%|minutes?|mins?|hours?|days?|eur)(?![a-z]))";
const notInWord = "(?<![\\w:.])";
const range = new RegExp(
  `(?:(?<![a-z])(?:from|between|at)\\s+)?${notInWord}(?<start>${hour}|${bare})\\s*(?:-|–|to|until|till|and)\\s*(?<end>${hour})|(?<![a-z])(?:from|between)\\s+(?<start2>${bare})\\s*(?:-|–|to|until|till|and)\\s*(?<end2>${bare})`,
);
const single = new RegExp(
  `(?:(?<![a-z])(?:at|to|by|around|about|for|from)\\s+)?${notInWord}(?<start>${hour})|(?<![a-z])at\\s+(?<bare>${bare})`,
);

/** Takes the hours out of a text. Lengths and days must have been taken before. */
export function takeHours(text: Text): Hours | undefined {
  const pair = text.takeGroups(range);
  const end = readHour(pair?.["end"] ?? pair?.["end2"]);
  const start = readHour(pair?.["start"] ?? pair?.["start2"], end);
  // "From 5 to 8", "11 to 1"
  if (start !== undefined && end !== undefined)
    return { start, end: end <= start && end < 720 ? end + 720 : end };
  const one = text.takeGroups(single);
  const only = readHour(one?.["start"] ?? one?.["bare"]);
  if (only === undefined) return undefined;
  // "half past twelve, 12:30"
  const again = createText(text.rest()).takeGroups(single);
  if (again !== undefined && readHour(again["start"] ?? again["bare"]) === only)
    text.takeGroups(single);
  return { start: only };
}

function readHour(words: string | undefined, end?: number): number | undefined {
  const text = words?.toLowerCase().trim();
  if (text === undefined) return undefined;
  if (text === "midnight") return 0;
  if (/^(?:noon|midday)$/.test(text)) return 720;
  const at = named.split("|").findIndex((word) => new RegExp(`\\b${word}\\b`).test(text)) + 1;
  const [, digits = "", past = "0"] = /(\d{1,2})(?:[:.](\d{2}))?/.exec(text) ?? [];
  const hours = digits === "" && at > 0 ? String(at) : digits;
  const isLate =
    /p\.?m/.test(text) ||
    (/^\d{1,2}$/.test(text) && end !== undefined && end > 780 && Number(hours) + 12 <= end / 60);
  const isEarly = /a\.?m/.test(text) && hours === "12";
  const value =
    (isLate || isEarly ? Number(hours) % 12 : Number(hours)) * 60 +
    Number(past) +
    (isLate ? 720 : 0) +
    (text.startsWith("half")
      ? 30
      : text.startsWith("quarter")
        ? text.includes("to")
          ? -15
          : 15
        : 0);
  if (hours === "" || Number(past) >= 60 || value >= 1_440) return undefined;
  // An hour in the early morning means the afternoon, unless it is written in another way.
  const isExact = /[ap]\.?m/.test(text) || hours.startsWith("0");
  return !isExact && value >= 60 && value < 420 ? value + 720 : value;
}

const lengths: readonly (readonly [string, (count: string) => number])[] = [
  ["(?:an |one )?hour and a half", () => 90],
  ["half an hour|(?:a )?half[- ]hour", () => 30],
  ["three quarters of an hour", () => 45],
  ["(?:a )?quarter of an hour", () => 15],
  [`(?<count>${numberPattern}) (?:minutes?|mins?)(?![a-z])`, numberOf],
  ["(?<count>\\d+)[ -]?(?:minutes?|mins?)(?![a-z])", Number],
  [
    `(?<count>\\d+\\.\\d+|${numberPattern})[ -]?(?:hours?|hrs?)(?![a-z])`,
    (count) => Math.round(60 * (count.includes(".") ? Number(count) : numberOf(count))),
  ],
  [`(?<count>${numberPattern})[ -]?days?(?![a-z])`, (count) => 1_440 * numberOf(count)],
  ["all day|all-day|the whole day", () => 1_440],
];

/** Takes a length in minutes. */
export function takeLength(text: Text): number | undefined {
  for (const [pattern, minutes] of lengths) {
    const taken = text.takeGroups(
      new RegExp(
        `(?:(?<![a-z'])(?:for|lasting|of|by)\\s+)?(?:(?<![a-z])an?\\s+(?=\\d))?(?<![\\w:.])(?:${pattern})(?: long)?`,
      ),
    );
    if (taken !== undefined) return minutes((taken["count"] ?? "").toLowerCase());
  }
  return undefined;
}

const timesOfDay: readonly (readonly [RegExp, Required<Hours>])[] = [
  [
    /(?:(?:in|during) )?(?:the )?(?:(?:whole|entire) |(?<=this )|late |early )?\bafternoons?\b/,
    { start: 720, end: 1_080 },
  ],
  [/(?:(?:in|during) )?(?:the )?(?:(?:whole|entire) )?\bmornings?\b/, { start: 480, end: 720 }],
  [
    /(?:(?:in|during) )?(?:the )?(?:(?:whole|entire) )?\bevenings?\b|\btonight\b/,
    { start: 1_080, end: 1_320 },
  ],
];

/** Takes "afternoon". */
export function takeTimeOfDay(text: Text): Required<Hours> | undefined {
  return timesOfDay.find(([pattern]) => text.take(pattern) !== undefined)?.[1];
}

/** Minutes since midnight in the time's own offset. Undefined for a date without a time. */
export function minutesOf(time: unknown): number | undefined {
  const [, hours, minutes] =
    (typeof time === "string" ? /T(\d{2}):(\d{2})/.exec(time) : null) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** "09:05" */
export function sayMinutes(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Hours, or a part of the day. */
export type Times = Hours & { readonly isPart?: true };

export function takeTimes(text: Text): Times | undefined {
  const part = takeTimeOfDay(text);
  return part === undefined ? takeHours(text) : { ...part, isPart: true };
}
