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

/** A change of the calendar in its final form: all of it is digested and approved. */
export interface PreparedEvent extends JsonObject {
  account: string;
  calendarId: string;
  /** Chosen by us: entered twice, the second is refused. */
  eventId: string;
  mark: string;
  /** Everybody who gets it, whether or not they are written to. */
  guests: string[];
  notify: boolean;
  /** Those of the guests whom the owner has written to before. */
  known: KnownPerson[];
  /** The request's body. */
  event: JsonObject;
}

interface EventPlace {
  readonly account: string;
  /** Of the calendar. */
  readonly zone: string;
}

/** Throws invalid_arguments for what cannot be an event. */
export function prepareEvent(
  wish: z.output<typeof createInput>,
  { account, zone }: EventPlace,
): { prepared: PreparedEvent; preview: string } {
  checkOneLine("The title", wish.summary);
  checkOneLine("The place", wish.location);
  checkText("The description", wish.description);
  const eventZone = wish.timeZone ?? zone;
  checkZone(eventZone);
  const span = readSpan(wish, eventZone);
  const guests = uniqueAddresses(wish.guests);
  const rule = wish.recurrence === undefined ? undefined : readRule(wish.recurrence, span.start);
  const mark = newMark();
  const prepared: PreparedEvent = {
    account,
    calendarId: wish.calendarId,
    eventId: `bron${mark}`,
    mark,
    guests: guests.map(formatAddress),
    notify: wish.notifyGuests && guests.length > 0,
    known: [],
    event: {
      id: `bron${mark}`,
      summary: wish.summary,
      start: span.start,
      end: span.end,
      ...(wish.location === "" ? {} : { location: wish.location }),
      ...(wish.description === "" ? {} : { description: wish.description }),
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
    `New event: ${wish.summary}`,
    `When: ${whenInWords(span.start, span.end, zone)}`,
    ...(rule === undefined
      ? []
      : [`Repeats: ${ruleInWords(rule, span.start)}`, datesLine([rule], span.start)]),
    ...(wish.location === "" ? [] : [`Where: ${wish.location}`]),
    ...guestLines(prepared),
    calendarLine(prepared),
  ];
  return { prepared, preview: previewOf(lines, wish.description) };
}

function readSpan(
  { start: from, end: to, durationMinutes }: z.output<typeof createInput>,
  zone: string,
): { start: EventTime; end: EventTime } {
  const begins = readTime("start", from, zone);
  if (to !== undefined && durationMinutes !== undefined)
    throw new BronError("invalid_arguments", "Give an end or durationMinutes, not both.");
  if (to === undefined && durationMinutes === undefined && "dateTime" in begins)
    throw new BronError("invalid_arguments", "Give an end, or durationMinutes.");
  const ends = to === undefined ? after(begins, durationMinutes ?? 1_440) : readEnd(to, zone);
  checkOrder(begins, ends);
  return { start: begins, end: ends };
}

/** People say the last day; the calendar wants the day after. */
export function readEnd(text: string, zone: string): EventTime {
  const ends = readTime("end", text, zone);
  return "date" in ends ? { date: dayAfter(ends.date) } : ends;
}

export function checkOrder(begins: EventTime, ends: EventTime): void {
  const minutes = minutesBetween(begins, ends);
  if (minutes === undefined)
    throw new BronError("invalid_arguments", "start and end must both be days, or both times.");
  if (minutes <= 0)
    throw new BronError("invalid_arguments", "It would end before it begins, or at the same time.");
}

/** A day that becomes an hour of it would last until the next. Throws invalid_arguments. */
export function keepLength(start: EventTime, oldStart: EventTime, oldEnd: EventTime): EventTime {
  if ("date" in oldStart && !("date" in start))
    throw new BronError(
      "invalid_arguments",
      "It is an all-day event so far: give an end with the new start.",
    );
  return after(start, minutesBetween(oldStart, oldEnd) ?? 0);
}

/** Each once, by its address. */
export function uniqueAddresses(texts: readonly string[]): Address[] {
  const addresses = texts.map(parseAddress);
  return addresses.filter(
    ({ address }, at) =>
      addresses.findIndex((one) => one.address.toLowerCase() === address.toLowerCase()) === at,
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
      ? "Google writes to every guest."
      : "Google does not write to the guests, but they can see it.",
  ];
}

export function previewOf(lines: readonly string[], description: string): string {
  return `${lines.map(spellOut).join("\n")}${description === "" ? "" : `\n\n${visible(description)}`}`;
}
