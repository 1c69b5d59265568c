import type { Step } from "../recipe/recipe.ts";
import { plusDays, sayDay, type Days } from "./days.ts";
import {
  matchingEvents,
  readAgenda,
  sayWhen,
  specificWords,
  type Agenda,
  type CalendarEvent,
} from "./calendar-events.ts";

/** Ends the request if its days are not known. */
export const checkDays: readonly Step<{ days?: Days }>[] = [
  {
    if: ({ days }) => days?.problem === "no today",
    say: "I couldn't find out today's date, so I don't know which days you mean. Give me the date, including the year.",
    stop: true,
    outcome: "needs_answer",
  },
  {
    if: ({ days }) => days?.problem !== undefined,
    say: "That day doesn't exist. Which one do you mean?",
    stop: true,
    outcome: "needs_answer",
  },
];

export interface AgendaValues {
  days?: Days;
  agenda?: Agenda;
}

/** Reads the events of `days`, or of the next 7 days. */
export const readCalendar: readonly Step<AgendaValues>[] = [
  {
    if: ({ days }) => days === undefined,
    set: ({ today }) => ({
      days:
        today === ""
          ? { from: "", to: "", count: 0, problem: "no today" }
          : { from: today, to: plusDays(today, 7), count: 7 },
    }),
  },
  ...checkDays,
  {
    call: "calendar_search",
    with: ({ days }) => ({ from: days?.from, to: days?.to, maxResults: 100 }),
    doing: "check your calendar",
    as: "agenda",
    read: readAgenda,
  },
  {
    if: ({ agenda }) => agenda === undefined,
    say: "There was too much to read. Try a shorter period.",
    stop: true,
    outcome: "could_not",
  },
];

export function sayDays({ from, to }: Days): string {
  return from === to ? sayDay(from) : `${sayDay(from)} to ${sayDay(to)}`;
}

export function onDays({ from, to }: Days): string {
  return from === to ? `on ${sayDay(from)}` : `from ${sayDay(from)} to ${sayDay(to)}`;
}

export interface ChosenValues {
  days?: Days;
  words?: readonly string[];
  agenda?: Agenda;
  matching?: readonly CalendarEvent[];
  event?: CalendarEvent;
}

/** Finds the one event that `words` and `days` mean. Searches further ahead if it is not near. */
export const chooseEvent: readonly Step<ChosenValues>[] = [
  {
    if: ({ today }) => today === "",
    set: () => ({ days: { from: "", to: "", count: 0, problem: "no today" as const } }),
  },
  ...checkDays,
  {
    call: "calendar_search",
    with: ({ days, today }) => ({
      from: days?.from ?? today,
      to: days?.to ?? plusDays(today, 13),
      maxResults: 100,
    }),
    doing: "check your calendar",
    as: "agenda",
    read: readAgenda,
  },
  { set: ({ agenda, words = [] }) => ({ matching: matchingEvents(agenda?.events ?? [], words) }) },
  {
    if: ({ matching, days }) => matching?.length === 0 && days === undefined,
    call: "calendar_search",
    with: ({ words = [], today }) => ({
      query: specificWords(words).join(" "),
      from: today,
      to: plusDays(today, 180),
      maxResults: 100,
    }),
    doing: "check your calendar",
    as: "agenda",
    read: readAgenda,
  },
  {
    set: ({ agenda, words = [] }) => {
      const matching = matchingEvents(agenda?.events ?? [], words);
      return matching[0] === undefined ? { matching } : { matching, event: matching[0] };
    },
  },
  {
    if: ({ event }) => event === undefined || event.eventId === "",
    say: ({ words = [] }) =>
      `I couldn't find an event for "${words.join(" ")}", so I didn't change anything.`,
    stop: true,
    outcome: "could_not",
  },
  {
    if: ({ matching = [] }) => matching.length > 1,
    say: ({ matching = [], words = [] }) => [
      `Several events match "${words.join(" ")}". Which one do you mean?`,
      ...matching.slice(0, 10).map((event) => `- ${event.summary}: ${sayWhen(event)}`),
    ],
    stop: true,
    outcome: "needs_answer",
  },
  {
    say: ({ event }) => [
      event === undefined ? "" : `Using "${event.summary}" on ${sayWhen(event)}.`,
      event?.seriesId ? "Only this occurrence changes." : "",
    ],
  },
];
