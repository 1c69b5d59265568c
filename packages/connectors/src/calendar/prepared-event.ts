import { BronError } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import type { z } from "zod";
import { formatAddress, parseAddress, type Address } from "../addresses.ts";
import type { KnownPerson } from "../google/known-people.ts";
import { checkOneLine, checkText } from "../one-line.ts";
import { omitUndefined, spellOut, visible } from "@bron/protocol";
import { markWith, newMark } from "./effect-mark.ts";
import type { createInput } from "./event-input.ts";
import {
  after,
  checkZone,
  dayAfter,
  minutesBetween,
  readTime,
  type EventTime,
} from "./event-time.ts";
import { readRule } from "./recurrence.ts";
import { ruleInWords } from "./rule-words.ts";
import { datesLine } from "./series-dates.ts";
import { whenInWords } from "./time-words.ts";

/** A calendar change in its final form. All of it is digested and approved. */
export interface PreparedEvent extends JsonObject {
  account: string;
  calendarId: string;
  /** Our own id, so that Google rejects a second insert of the same event. */
  eventId: string;
  mark: string;
  /** All people who see the event, whether or not they are notified. */
  guests: string[];
  notify: boolean;
  /** Guests whom the owner has emailed before. */
  known: KnownPerson[];
  /** The request body. */
  event: JsonObject;
}

interface EventContext {
  readonly account: string;
  /** Zone of the calendar. */
  readonly zone: string;
}

/** Throws invalid_arguments if no valid event can be prepared. */
export function prepareEvent(
  input: z.output<typeof createInput>,
  { account, zone }: EventContext,
): { prepared: PreparedEvent; preview: string } {
  checkOneLine("The title", input.summary);
  checkOneLine("The location", input.location);
  checkText("The description", input.description);
  const eventZone = input.timeZone ?? zone;
  checkZone(eventZone);
  const span = readSpan(input, eventZone);
  const guests = uniqueAddresses(input.guests);
  const rule = input.recurrence === undefined ? undefined : readRule(input.recurrence, span.start);
  const mark = newMark();
  const prepared: PreparedEvent = {
    account,
    calendarId: input.calendarId,
    eventId: `bron${mark}`,
    mark,
    guests: guests.map(formatAddress),
    notify: input.notifyGuests && guests.length > 0,
    known: [],
    event: {
      id: `bron${mark}`,
      summary: input.summary,
      start: span.start,
      end: span.end,
      ...(input.location === "" ? {} : { location: input.location }),
      ...(input.description === "" ? {} : { description: input.description }),
      ...(guests.length === 0
        ? {}
        : {
            attendees: guests.map(({ address, name }) => ({
              email: address,
              ...(name === "" ? {} : { displayName: name }),
            })),
          }),
      ...omitUndefined({ recurrence: rule === undefined ? undefined : [rule] }),
      extendedProperties: { private: markWith(mark) },
    },
  };
  const lines = [
    `New event: ${input.summary}`,
    `When: ${whenInWords(span.start, span.end, zone)}`,
    ...(rule === undefined
      ? []
      : [`Repeats: ${ruleInWords(rule, span.start)}`, datesLine([rule], span.start)]),
    ...(input.location === "" ? [] : [`Where: ${input.location}`]),
    ...guestLines(prepared),
    calendarLine(prepared),
  ];
  return { prepared, preview: previewOf(lines, input.description) };
}

function readSpan(
  { start: from, end: to, durationMinutes }: z.output<typeof createInput>,
  zone: string,
): { start: EventTime; end: EventTime } {
  const begins = readTime("start", from, zone);
  if (to !== undefined && durationMinutes !== undefined)
    throw new BronError("invalid_arguments", "Use either end or durationMinutes, not both.");
  if (to === undefined && durationMinutes === undefined && "dateTime" in begins)
    throw new BronError("invalid_arguments", "Add an end or durationMinutes.");
  const ends = to === undefined ? after(begins, durationMinutes ?? 1_440) : readEnd(to, zone);
  checkOrder(begins, ends);
  return { start: begins, end: ends };
}

/** People name the last day, but the calendar stores the day after it. */
export function readEnd(text: string, zone: string): EventTime {
  const ends = readTime("end", text, zone);
  return "date" in ends ? { date: dayAfter(ends.date) } : ends;
}

export function checkOrder(begins: EventTime, ends: EventTime): void {
  const minutes = minutesBetween(begins, ends);
  if (minutes === undefined)
    throw new BronError("invalid_arguments", "start and end must both be days or both be times.");
  if (minutes <= 0) throw new BronError("invalid_arguments", "The end must be after the start.");
}

/**
 * Keeps the length of an event. Throws invalid_arguments for an all-day event that gets a start
 * time, because it would last until the next day.
 */
export function withSameLength(
  start: EventTime,
  oldStart: EventTime,
  oldEnd: EventTime,
): EventTime {
  if ("date" in oldStart && !("date" in start))
    throw new BronError(
      "invalid_arguments",
      "This is an all-day event. Add an end to the new start.",
    );
  return after(start, minutesBetween(oldStart, oldEnd) ?? 0);
}

/** Removes duplicate addresses. */
export function uniqueAddresses(texts: readonly string[]): Address[] {
  const addresses = texts.map(parseAddress);
  return addresses.filter(
    ({ address }, at) =>
      addresses.findIndex((other) => other.address.toLowerCase() === address.toLowerCase()) === at,
  );
}

export function calendarLine({
  account,
  calendarId,
}: Pick<PreparedEvent, "account" | "calendarId">): string {
  return `Calendar: ${calendarId === "primary" || calendarId === account ? account : `${calendarId}, as ${account}`}`;
}

export function guestLines({ guests, notify }: Pick<PreparedEvent, "guests" | "notify">): string[] {
  if (guests.length === 0) return [];
  return [
    `Guests: ${guests.join(", ")}`,
    notify
      ? "Guests will get an email from Google."
      : "Guests won't get an email, but they can see the event.",
  ];
}

export function previewOf(lines: readonly string[], description: string): string {
  return `${lines.map(spellOut).join("\n")}${description === "" ? "" : `\n\n${visible(description)}`}`;
}
