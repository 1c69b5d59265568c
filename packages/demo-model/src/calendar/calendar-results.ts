import type { Temporal } from "temporal-polyfill";
import { text } from "../mail/mail-results.ts";
import { dayOfTime, minutesOfTime } from "../when/say-when.ts";
import { isObject } from "../wire.ts";

/** An event from the calendar tools. It is read defensively because a result may be any JSON. */
export interface CalendarEvent {
  readonly eventId: string;
  readonly seriesId: string;
  readonly summary: string;
  /** A time with offset, or a date. */
  readonly start: string;
  /** A time with offset, or the last day of an all-day event. */
  readonly end: string;
  readonly allDay: boolean;
  readonly location: string;
  /** Names and addresses. */
  readonly people: readonly string[];
}

export interface FoundEvents {
  readonly events: readonly CalendarEvent[];
  readonly hasMore: boolean;
  /** Empty if the tool did not return it. */
  readonly timeZone: string;
}

export function readEvents(value: unknown): FoundEvents {
  const list =
    isObject(value) && Array.isArray(value["events"]) ? value["events"].filter(isObject) : [];
  return {
    events: list.map(readEvent).filter(({ start }) => dayOfTime(start) !== undefined),
    hasMore: isObject(value) && value["more"] === true,
    timeZone: text(value, "timeZone"),
  };
}

export function readEvent(value: unknown): CalendarEvent {
  const guests = isObject(value) && Array.isArray(value["guests"]) ? value["guests"] : [];
  const people = guests
    .flatMap((guest) =>
      typeof guest === "string" ? [guest] : [text(guest, "name"), text(guest, "email")],
    )
    .filter((name) => name !== "");
  return {
    eventId: text(value, "eventId"),
    seriesId: text(value, "seriesId"),
    summary: text(value, "summary"),
    start: text(value, "start"),
    end: text(value, "end"),
    location: text(value, "location"),
    allDay:
      isObject(value) &&
      (value["allDay"] === true || minutesOfTime(text(value, "start")) === undefined),
    people: [...people, ...(text(value, "organizer") === "" ? [] : [text(value, "organizer")])],
  };
}

/**
 * The minutes of a day that an event takes, in the calendar's time zone. Undefined for all-day
 * events and for other days.
 */
export function minutesOn(
  day: Temporal.PlainDate,
  { start, end, allDay }: CalendarEvent,
): { readonly start: number; readonly end: number } | undefined {
  const [first, last] = [dayOfTime(start), dayOfTime(end)];
  if (allDay || first === undefined || last === undefined) return undefined;
  const isBefore = first.until(day).days > 0;
  const isAfter = day.until(last).days > 0;
  if (first.until(day).days < 0 || day.until(last).days < 0) return undefined;
  const span = {
    start: isBefore ? 0 : (minutesOfTime(start) ?? 0),
    end: isAfter ? 1_440 : (minutesOfTime(end) ?? 1_440),
  };
  return span.end > span.start ? span : undefined;
}
