import type { Language } from "../mail/language.ts";
import { dayOfTime, minutesOfTime, sayDay, sayMinutes } from "../when/say-when.ts";
import type { DaySpan } from "../when/day-wish.ts";
import type { CalendarEvent } from "./calendar-results.ts";
import type { CalendarWords } from "./words/calendar-words-shape.ts";
import { englishCalendar } from "./words/english.ts";
import { frenchCalendar } from "./words/french.ts";
import { germanCalendar } from "./words/german.ts";

const wordsByLanguage: Readonly<Record<Language, CalendarWords>> = {
  en: englishCalendar,
  de: germanCalendar,
  fr: frenchCalendar,
};

export function calendarWordsIn(language: Language): CalendarWords {
  return wordsByLanguage[language];
}

export function sayDays({ from, to }: DaySpan, language: Language): string {
  return from.equals(to)
    ? sayDay(from, language)
    : wordsByLanguage[language].days(sayDay(from, language), sayDay(to, language));
}

/** The days with their preposition: "on Monday, November 16, 2026". */
export function sayOnDays({ from, to }: DaySpan, language: Language): string {
  const words = wordsByLanguage[language];
  return from.equals(to)
    ? words.onDay(sayDay(from, language))
    : words.onDays(sayDay(from, language), sayDay(to, language));
}

/** The time of an event with its preposition, or an empty text when the calendar named no time. */
export function sayOnWhen(
  event: Pick<CalendarEvent, "start" | "end" | "allDay">,
  language: Language,
): string {
  const when = sayWhen(event, language);
  return when === "" ? "" : wordsByLanguage[language].onDay(when);
}

/** The time of an event, or an empty text when the calendar named no time. */
export function sayWhen(
  { start, end, allDay }: Pick<CalendarEvent, "start" | "end" | "allDay">,
  language: Language,
): string {
  const [first, last] = [dayOfTime(start), dayOfTime(end)];
  if (first === undefined) return "";
  if (allDay)
    return `${sayDays({ from: first, to: last ?? first }, language)}, ${wordsByLanguage[language].allDay}`;
  return `${sayDay(first, language)}, ${sayHours({ start, end }, language)}`;
}

/** "09:15–09:30", with the day of the end if the event ends on another day. */
export function sayHours(
  { start, end }: Pick<CalendarEvent, "start" | "end">,
  language: Language,
): string {
  const [first, last] = [dayOfTime(start), dayOfTime(end)];
  const [from, to] = [minutesOfTime(start), minutesOfTime(end)];
  const until =
    to === undefined
      ? ""
      : first !== undefined && last !== undefined && !first.equals(last)
        ? `–${sayDay(last, language)}, ${sayMinutes(to)}`
        : `–${sayMinutes(to)}`;
  return `${from === undefined ? "" : sayMinutes(from)}${until}`;
}
