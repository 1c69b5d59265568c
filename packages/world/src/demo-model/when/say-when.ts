import { Temporal } from "temporal-polyfill";
import type { Language } from "../mail/language.ts";

const locales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE", fr: "fr-FR" };

/** "Monday 16 November 2026", in the language of the task. */
export function sayDay(day: Temporal.PlainDate, language: Language): string {
  const words = new Intl.DateTimeFormat(locales[language], {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return words
    .format(new Date(`${day.toString()}T00:00:00Z`))
    .replace(/^([a-z]+), /i, language === "en" ? "$1 " : "$1, ");
}

/** "09:05". */
export function sayMinutes(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** The day that a time with offset, or a day, stands for where it was written; undefined for anything else. */
export function dayOfTime(time: string): Temporal.PlainDate | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(time) ?? [];
  try {
    return day === undefined ? undefined : Temporal.PlainDate.from(day);
  } catch {
    return undefined;
  }
}

/** Minutes since midnight on the clock of the time's own offset; undefined for a day. */
export function minutesOfTime(time: string): number | undefined {
  const [, hours, minutes] = /T(\d{2}):(\d{2})/.exec(time) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** What a calendar takes: "2026-11-17T10:00". */
export function localTime(day: Temporal.PlainDate, minutes: number): string {
  return `${day.toString()}T${sayMinutes(minutes)}`;
}
