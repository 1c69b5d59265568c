import { foldText } from "../reading/fold-text.ts";
import { calendarSigns } from "./calendar-signs.ts";
import type { CalendarEvent } from "./calendar-results.ts";

const generic = new RegExp(`^(?:${calendarSigns.event.source})$`);

/**
 * Events that contain all words in their titles, or else in their people and places. Generic words
 * such as "call" only decide between several matches.
 */
export function matchingEvents(
  events: readonly CalendarEvent[],
  words: readonly string[],
): readonly CalendarEvent[] {
  const needed = specificWords(words);
  const ways: readonly ((event: CalendarEvent) => boolean)[] = [
    ({ summary }) => hasAll(summary, words),
    ({ summary }) => hasAll(summary, needed),
    ({ summary, location, people }) => hasAll([summary, location, ...people].join(" "), words),
    ({ summary, location, people }) => hasAll([summary, location, ...people].join(" "), needed),
  ];
  for (const fits of ways) {
    const found = events.filter(fits);
    if (found.length > 0) return found;
  }
  return [];
}

/** Drops generic words unless nothing else is left. */
export function specificWords(words: readonly string[]): readonly string[] {
  const specific = words.filter((word) => !generic.test(foldText(word)));
  return specific.length > 0 ? specific : words;
}

function hasAll(text: string, words: readonly string[]): boolean {
  const folded = ` ${foldText(text)}`;
  return words.every((word) =>
    new RegExp(`[^\\p{L}\\d]${foldText(word).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}`, "u").test(
      folded,
    ),
  );
}

/** Keeps the first occurrence of each series. Events come in order. */
export function distinctEvents(events: readonly CalendarEvent[]): readonly CalendarEvent[] {
  const keyOf = ({ seriesId, eventId }: CalendarEvent) => seriesId || eventId;
  return events.filter(
    (event, index) => events.findIndex((other) => keyOf(other) === keyOf(event)) === index,
  );
}
