import { noConversation } from "../conversation.ts";
import { quotation } from "../recipe/quotes.ts";
import type { Reply } from "../recipe/recipe.ts";
import { after, type SlotReader } from "../recipe/slot.ts";
import { readChanges } from "../recipe/understand.ts";
import { createText, type Text } from "../recipe/text.ts";
import { dayOf, plusDays, takeDays, type Days } from "./days.ts";
import { fieldOf, listOf, textOf } from "./json.ts";
import { localTime, type CalendarEvent } from "./calendar-events.ts";
import { addressFor, takePeople, takeUnwanted, type AddressValues } from "./find-address.ts";
import { asItIs, passedOver } from "./word-lists.ts";
import { minutesOf, takeHours, takeLength, type Hours } from "./hours.ts";

/** What the owner may change in an event. */
export interface EventChange {
  readonly days?: Days;
  readonly hours?: Hours;
  /** Minutes. */
  readonly length?: number;
  /** Minutes by which it starts later. */
  readonly shift?: number;
  readonly title?: string;
  readonly place?: string;
  /** Names and addresses. */
  readonly also?: readonly string[];
  readonly removed?: readonly string[];
  /** The fields that the owner edited. */
  readonly edit?: Reply["edit"];
}

const title = after(
  new RegExp(
    `\\b(?:call it|rename it to|name it|title it|change the (?:title|name|subject) to)\\s+(?<value>${quotation}|[^,;.!?]+)`,
  ),
);
const place = after(
  new RegExp(
    `\\b(?:location|place|venue|room)(?: is|:| should be)? (?<value>${quotation}|[^,;.!?]+)`,
  ),
);
const invites = "\\b(?:also )?(?:invite|add|include|plus|bring)(?: also| in)?\\s+";

/** "Make it 11" */
function bareHour(text: Text): Hours | undefined {
  const hour = text.take(
    /\b(?:make it|starts?|starting|move it to|to)\s+(?<value>\d{1,2})(?![\d:.]|\s*(?:min|h|people|guests|days))/,
  );
  return hour === undefined ? undefined : takeHours(createText(`at ${hour}`));
}

/** Takes the time that is wrong, if the right one follows: "not monday, tuesday". */
function takeNegated(text: Text, today: string): void {
  const pattern = /\bnot\s+(?<value>[^,;]+?)\s*(?:,|;|\bbut\b)\s*(?=\S)/;
  const part = createText(createText(text.rest()).take(pattern) ?? "");
  const isTime = [takeDays(part, today, true), takeHours(part), takeLength(part)].some(Boolean);
  if (isTime && part.rest().trim() === "") text.take(pattern);
}

/** Takes everything that may be changed in an event out of the owner's words. */
function takeEventChange(text: Text, today: string): EventChange | undefined {
  const none = { conversation: noConversation, today };
  const name = title(text, none);
  const where = place(text, none);
  takeNegated(text, today);
  const removed = takeUnwanted(text);
  const also = [
    ...takePeople(text, invites, "(?:\\s+(?:too|as well|also))?"),
    ...takePeople(text, "\\b(?:and|with)\\s+", "\\s+(?:too|as well|also)"),
  ];
  const moved = text.takeGroups(
    /\b(?<count>(?:\d+|an?|half an|two|three) (?:minutes?|mins?|hours?|days?)|half an hour) (?<way>later|earlier)\b/,
  );
  const by = takeLength(createText(moved?.["count"] ?? ""));
  const given = {
    title: name,
    place: where,
    removed: removed.length > 0 ? removed : undefined,
    also: also.length > 0 ? also : undefined,
    shift: by === undefined ? undefined : moved?.["way"] === "earlier" ? -by : by,
    days: takeDays(text, today, true),
    length: takeLength(text),
    hours: takeHours(text) ?? bareHour(text),
  };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The changes that the owner wants at an approval, after those that they made themselves. */
export function readEventReply(
  { words, edit }: Reply,
  { changes = [], today }: { readonly changes?: readonly EventChange[]; readonly today: string },
) {
  const reader: SlotReader<readonly EventChange[]> = (text) => {
    const change = takeEventChange(text, today);
    return change === undefined ? undefined : [change];
  };
  const context = { conversation: noConversation, today };
  const isSame = asItIs.test(words);
  const { slots, left } = isSame
    ? { slots: { changes: [] }, left: [] }
    : readChanges({ changes: reader }, words, context, passedOver);
  const wanted = slots["changes"] as readonly EventChange[] | undefined;
  if (wanted === undefined || wanted.some(({ days }) => days?.problem)) return undefined;
  const edited = Object.keys(edit).length > 0 ? [{ edit }] : [];
  return { values: { changes: [...changes, ...edited, ...wanted] }, left };
}

export interface EventForm {
  readonly summary?: string | undefined;
  /** "2026-11-17T10:00", or a date. */
  readonly start: string;
  /** Minutes. Undefined for entire days. */
  readonly length?: number | undefined;
  readonly location?: string | undefined;
  readonly guests: readonly string[];
}

/** The form of an event after changes. */
export function changeEvent(
  before: EventForm,
  changes: readonly EventChange[],
  known: AddressValues["known"],
): EventForm {
  return changes.reduce((form, change): EventForm => {
    if (change.edit !== undefined) return withEdit(form, change.edit);
    const minutes = change.hours?.start ?? minutesOf(form.start);
    const day = change.days?.from ?? dayIn(form.start);
    const end = change.hours?.end;
    const isGone = (guest: string) =>
      change.removed?.some((one) => guest.toLowerCase().includes(one.toLowerCase()));
    return {
      summary: change.title ?? form.summary,
      location: change.place ?? form.location,
      start: minutes === undefined ? day : localTime(day, minutes + (change.shift ?? 0)),
      length:
        change.length ??
        (end === undefined || change.hours === undefined ? form.length : end - change.hours.start),
      guests: [
        ...new Set([
          ...form.guests.filter((guest) => !isGone(guest)),
          ...(change.also ?? []).map((one) => addressFor(one, known)),
        ]),
      ],
    };
  }, before);
}

function withEdit(form: EventForm, edit: Reply["edit"]): EventForm {
  const start = textOf(edit, "start") || form.start;
  const end = textOf(edit, "end");
  const guests = fieldOf(edit, "guests");
  return {
    summary: textOf(edit, "summary") || form.summary,
    location: textOf(edit, "location") || form.location,
    start: wallTime(start),
    length: end === "" ? form.length : minutesBetween(start, end),
    guests: guests === undefined ? form.guests : listOf(guests).map(String),
  };
}

/** Without seconds and offset. */
const wallTime = (time: string) => time.slice(0, 16);
const dayIn = (time: string) => dayOf(time.slice(0, 10)) || time.slice(0, 10);

function minutesBetween(start: string, end: string): number | undefined {
  const minutes =
    (Date.parse(`${wallTime(end)}:00Z`) - Date.parse(`${wallTime(start)}:00Z`)) / 60_000;
  return Number.isNaN(minutes) ? undefined : minutes;
}

export function formOfEvent({ summary, start, end, location, guests }: CalendarEvent): EventForm {
  return {
    summary,
    start: wallTime(start),
    length: minutesBetween(start, end),
    location,
    guests,
  };
}

/** The end of a form. The last day of an event of entire days is not part of it. */
export function endOf({ start, length }: EventForm): string | undefined {
  const minutes = minutesOf(start);
  if (length === undefined) return undefined;
  return minutes === undefined
    ? plusDays(start, length / 1_440 - 1)
    : localTime(dayIn(start), minutes + length);
}
