import { foldText } from "../words/content-words.ts";
import { dayOf, plusDays, sayDay, type Days } from "./days.ts";
import { minutesOf, sayMinutes, type Hours } from "./hours.ts";
import { fieldOf, listOf, objectsOf, textOf } from "./json.ts";

export interface CalendarEvent {
  readonly eventId: string;
  readonly seriesId: string;
  readonly summary: string;
  /** A time with offset, or a date. */
  readonly start: string;
  readonly end: string;
  readonly allDay: boolean;
  readonly location: string;
  /** Names and addresses, also of the organizer. */
  readonly people: readonly string[];
  readonly guests: readonly string[];
}

export interface Agenda {
  readonly events: readonly CalendarEvent[];
  readonly hasMore: boolean;
  readonly timeZone: string;
}

/** Undefined if the result is not complete. What is left of it would look complete. */
export function readAgenda(result: unknown): Agenda | undefined {
  if (typeof result === "string") return undefined;
  return {
    events: objectsOf(fieldOf(result, "events"))
      .map(readEvent)
      .filter(({ start }) => dayOf(start) !== ""),
    hasMore: fieldOf(result, "more") === true,
    timeZone: textOf(result, "timeZone"),
  };
}

export function readEvent(value: unknown): CalendarEvent {
  const guests = listOf(fieldOf(value, "guests")).flatMap((guest) =>
    typeof guest === "string" ? [guest] : [textOf(guest, "name"), textOf(guest, "email")],
  );
  const start = textOf(value, "start");
  return {
    eventId: textOf(value, "eventId"),
    seriesId: textOf(value, "seriesId"),
    summary: textOf(value, "summary"),
    start,
    end: textOf(value, "end"),
    location: textOf(value, "location"),
    allDay: fieldOf(value, "allDay") === true || minutesOf(start) === undefined,
    guests: listOf(fieldOf(value, "guests"))
      .map((guest) => (typeof guest === "string" ? guest : textOf(guest, "email")))
      .filter((guest) => guest !== ""),
    people: [...guests, textOf(value, "organizer")].filter((name) => name !== ""),
  };
}

/** Words that name any event. They decide only between several matches. */
const eventNouns =
  /^(?:meetings?|calls?|appointments?|lunch|dinner|breakfast|coffee|events?|1:1s?|one-on-ones?|interviews?|reviews?|sessions?|stand-?ups?|visits?|syncs?|demos?|trainings?|workshops?)$/;

/** Drops words such as "call" unless nothing else is left. */
export function specificWords(words: readonly string[]): readonly string[] {
  const specific = words.filter((word) => !eventNouns.test(word.toLowerCase()));
  return specific.length > 0 ? specific : words;
}

/** Events with all words in their titles, or else in their people and places; one of each series. */
export function matchingEvents(
  events: readonly CalendarEvent[],
  words: readonly string[],
): readonly CalendarEvent[] {
  const title = ({ summary }: CalendarEvent) => summary;
  const all = ({ summary, location, people }: CalendarEvent) =>
    [summary, location, ...people].join(" ");
  for (const [textOfEvent, wanted] of [
    [title, words],
    [title, specificWords(words)],
    [all, words],
    [all, specificWords(words)],
  ] as const) {
    const found = events.filter((event) => hasAll(textOfEvent(event), wanted));
    const keys = found.map(({ seriesId, eventId }) => seriesId || eventId);
    if (found.length > 0) return found.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
  }
  return [];
}

function hasAll(text: string, words: readonly string[]): boolean {
  const folded = ` ${foldText(text).replace(/[^a-z0-9:@.]+/g, " ")}`;
  return words.every((word) => folded.includes(` ${foldText(word)}`));
}

/** The timed events of a day that overlap the hours. */
export function eventsAt(
  events: readonly CalendarEvent[],
  day: string,
  hours: Required<Hours>,
): readonly CalendarEvent[] {
  return events.filter((event) => {
    const span = minutesOn(day, event);
    return span !== undefined && span.start < hours.end && hours.start < span.end;
  });
}

/** The minutes that a timed event takes on a day. */
function minutesOn(
  day: string,
  { start, end, allDay }: CalendarEvent,
): Required<Hours> | undefined {
  const [first, last] = [dayOf(start), dayOf(end)];
  if (allDay || first > day || last < day) return undefined;
  const span = {
    start: first < day ? 0 : (minutesOf(start) ?? 0),
    end: last > day ? 1_440 : (minutesOf(end) ?? 1_440),
  };
  return span.end > span.start ? span : undefined;
}

/** The gaps between busy spans within a window, in order, each at least `least` minutes long. */
export function freeGaps(
  busy: readonly Required<Hours>[],
  window: Required<Hours>,
  least = 1,
): readonly Required<Hours>[] {
  const gaps: Required<Hours>[] = [];
  let from = window.start;
  for (const { start, end } of busy.toSorted((a, b) => a.start - b.start)) {
    gaps.push({ start: from, end: Math.min(start, window.end) });
    from = Math.max(from, end);
  }
  gaps.push({ start: from, end: window.end });
  return gaps.filter(({ start, end }) => end - start >= Math.max(1, least));
}

const maxDays = 14;

/** One line for each gap, below its day if there are several. Longer spans leave weekends out. */
export function gapLines(
  events: readonly CalendarEvent[],
  { from, to }: Days,
  window: Required<Hours>,
  least = 1,
): readonly string[] {
  const all: string[] = [];
  for (let day = from; day <= to && all.length < maxDays; day = plusDays(day, 1)) all.push(day);
  const working = all.filter((day) => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()));
  return (working.length > 0 && all.length > 2 ? working : all).flatMap((day) => {
    const busy = events.flatMap((event) => minutesOn(day, event) ?? []);
    const gaps = freeGaps(busy, window, least).map(
      ({ start, end }) => `- ${sayMinutes(start)} to ${sayMinutes(end)}`,
    );
    return gaps.length > 0 && all.length > 1 ? [sayDay(day), ...gaps] : gaps;
  });
}

/** One line for each event, below its day if there are several days. */
export function eventLines(events: readonly CalendarEvent[], days?: Days): readonly string[] {
  const line = (event: CalendarEvent) =>
    `- ${event.allDay ? "all day" : sayHours(event)} ${event.summary}${event.location === "" ? "" : ` (${event.location})`}`;
  if (days === undefined || days.from === days.to) return events.map(line);
  return [...new Set(events.map(({ start }) => dayOf(start)))].flatMap((day) => [
    sayDay(day),
    ...events.filter(({ start }) => dayOf(start) === day).map(line),
  ]);
}

/** "10:00–10:30" */
function sayHours({ start, end }: CalendarEvent): string {
  return `${sayMinutes(minutesOf(start) ?? 0)}–${sayMinutes(minutesOf(end) ?? 0)}`;
}

/** "Monday, November 16, 2026, 10:00–10:30", or "" without a valid start. */
export function sayWhen(event: CalendarEvent): string {
  if (dayOf(event.start) === "") return "";
  return event.allDay ? sayDay(event.start) : `${sayDay(event.start)}, ${sayHours(event)}`;
}

/** A local time as calendar tools accept it: "2026-11-17T10:00". */
export function localTime(day: string, minutes: number): string {
  const days = Math.floor(minutes / 1_440);
  return `${plusDays(day, days)}T${sayMinutes(minutes - days * 1_440)}`;
}
