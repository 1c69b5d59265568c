import type { Scratch } from "../mail/scratch.ts";
import { weekdayPattern } from "./day-names.ts";
import type { HourSpan } from "./take-hours.ts";

interface PartOfDay {
  readonly pattern: RegExp;
  readonly hours: Required<HourSpan>;
}

/** "Heute Morgen" is a part of the day, but "morgen" alone is a day. */
const germanMorning = `(?<=(?:heute|gestern|${weekdayPattern})\\s)(?:morgen|fruh)(?![a-z])|(?<=morgen\\s)fruh(?![a-z])|(?:am |jeden )vormittag|vormittags?(?![a-z])|morgens(?![a-z])`;

const parts: readonly PartOfDay[] = [
  {
    pattern:
      /(?:(?:in|during) the |late |early )?\bafternoons?\b|(?:am )?\bnachmittags?\b|(?:dans )?(?:l')?\bapres-midi\b/,
    hours: { start: 720, end: 1_080 },
  },
  {
    pattern: new RegExp(
      `(?:(?:in|during) the )?\\bmornings?\\b|${germanMorning}|(?:le |dans la )?\\b(?:matin|matinee)\\b`,
    ),
    hours: { start: 480, end: 720 },
  },
  {
    pattern:
      /(?:(?:in|during) the )?\bevenings?\b|\btonight\b|(?:am )?\babends?\b|(?:le |dans la )?\b(?:soir|soiree)\b/,
    hours: { start: 1_080, end: 1_320 },
  },
];

/** Takes a part of the day. "This afternoon" implies today, so call this before taking days. */
export function takeDayPart(
  scratch: Scratch,
): { readonly hours: Required<HourSpan>; readonly isToday: boolean } | undefined {
  for (const { pattern, hours } of parts) {
    const today = scratch.take(
      new RegExp(
        `(?<![a-z])(?:this|cet|ce)\\s+(?:${pattern.source})(?!\\s+${weekdayPattern})|(?:${pattern.source})(?=,? (?:today|heute|aujourd'hui))`,
      ),
    );
    if (today !== undefined) return { hours, isToday: true };
    const taken = scratch.take(pattern);
    if (taken !== undefined) return { hours, isToday: /tonight/i.test(taken.whole) };
  }
  return undefined;
}
