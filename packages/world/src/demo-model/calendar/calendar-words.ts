import type { Language } from "../mail/language.ts";
import { dayOfTime, minutesOfTime, sayDay, sayMinutes } from "../when/say-when.ts";
import type { DaySpan } from "../when/day-wish.ts";
import type { CalendarEvent } from "./calendar-results.ts";
import type { CalendarWords } from "./words/calendar-words-shape.ts";
import { englishCalendar } from "./words/english.ts";
import { frenchCalendar } from "./words/french.ts";
import { germanCalendar } from "./words/german.ts";

const all: Readonly<Record<Language, CalendarWords>> = {
  en: englishCalendar,
  de: germanCalendar,
  fr: frenchCalendar,
};

export function calendarWordsIn(language: Language): CalendarWords {
  return all[language];
}

export function sayDays({ from, to }: DaySpan, language: Language): string {
  const words = all[language];
  return from.equals(to)
    ? words.day(sayDay(from, language))
    : words.days(sayDay(from, language), sayDay(to, language));
}

/** When an event is, by what the calendar said of it; empty when that said nothing. */
export function sayWhen(
  { start, end, allDay }: Pick<CalendarEvent, "start" | "end" | "allDay">,
  language: Language,
): string {
  const [first, last] = [dayOfTime(start), dayOfTime(end)];
  if (first === undefined) return "";
  if (allDay)
    return `${sayDays({ from: first, to: last ?? first }, language)}, ${all[language].allDay}`;
  return `${sayDay(first, language)}, ${sayHours({ start, end }, language)}`;
}

/** "09:15–09:30"; the day of the end too if that is another one. */
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
