import { Temporal } from "temporal-polyfill";
import type { Language } from "../mail/language.ts";

const locales: Readonly<Record<Language, string>> = { en: "en-US", de: "de-DE", fr: "fr-FR" };

/** "Monday, November 16, 2026", in the language of the task. */
export function sayDay(day: Temporal.PlainDate, language: Language): string {
  return format(day, language, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

/** "Nov 16" for an ISO date or time. Any other text is returned unchanged. */
export function sayShortDay(time: string, language: Language): string {
  const day = dayOfTime(time);
  return day === undefined ? time : format(day, language, { day: "numeric", month: "short" });
}

/** "November 16, 2026" for an ISO date or time. Any other text is returned unchanged. */
export function sayLongDay(time: string, language: Language): string {
  const day = dayOfTime(time);
  return day === undefined
    ? time
    : format(day, language, { day: "numeric", month: "long", year: "numeric" });
}

function format(
  day: Temporal.PlainDate,
  language: Language,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(locales[language], { ...options, timeZone: "UTC" }).format(
    new Date(`${day.toString()}T00:00:00Z`),
  );
}

/** "7:38 PM UTC" for an ISO time in UTC, and an empty text for anything else. */
export function sayTimeInUtc(time: string, language: Language): string {
  const minutes = time.endsWith("Z") ? minutesOfTime(time) : undefined;
  if (minutes === undefined) return "";
  if (language !== "en") return `${sayMinutes(minutes)}${language === "de" ? " Uhr" : ""} (UTC)`;
  const hour = Math.floor(minutes / 60);
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"} UTC`;
}

/** "09:05". */
export function sayMinutes(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** The day of an ISO date or of a time in its own offset. Undefined for anything else. */
export function dayOfTime(time: string): Temporal.PlainDate | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(time) ?? [];
  try {
    return day === undefined ? undefined : Temporal.PlainDate.from(day);
  } catch {
    return undefined;
  }
}

/** Minutes since midnight in the time's own offset. Undefined for a date without a time. */
export function minutesOfTime(time: string): number | undefined {
  const [, hours, minutes] = /T(\d{2}):(\d{2})/.exec(time) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** A local time as calendar tools accept it: "2026-11-17T10:00". */
export function localTime(day: Temporal.PlainDate, minutes: number): string {
  return `${day.toString()}T${sayMinutes(minutes)}`;
}
