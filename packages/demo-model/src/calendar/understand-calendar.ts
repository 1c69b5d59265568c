import { omitUndefined } from "@bron/protocol";
import type { Language } from "../mail/language.ts";
import type { Scratch } from "../mail/scratch.ts";
import { takeRecipients } from "../mail/take-recipients.ts";
import { foldText } from "../reading/fold-text.ts";
import type { DayWish } from "../when/day-wish.ts";
import { takeDayPart } from "../when/take-day-part.ts";
import { takeDays } from "../when/take-days.ts";
import { takeHours, takeLength, type HourSpan } from "../when/take-hours.ts";
import { noEmailRequest, takeEmailRequest } from "../workspace/take-email-request.ts";
import { calendarSigns } from "./calendar-signs.ts";
import type { CalendarTask } from "./calendar-task.ts";
import { eventWords } from "./event-words.ts";
import { takeGuests, takeMove, takeRename } from "./take-change.ts";
import { takeTitle } from "./take-title.ts";

interface Words {
  readonly scratch: Scratch;
  readonly restore: (text: string) => string;
  readonly subject: string | undefined;
  readonly language: Language;
}

type Signs = Readonly<Record<keyof typeof calendarSigns, boolean>>;
type Reader = (words: Words, signs: Signs) => CalendarTask | undefined;

/** Returns undefined when the task is not about a calendar. */
export function understandCalendar(words: Words): CalendarTask | undefined {
  const signs = Object.fromEntries(
    Object.entries(calendarSigns).map(([name, pattern]) => [name, words.scratch.has(pattern)]),
  ) as Signs;
  if (signs.waiting) return undefined;
  for (const read of [
    readCancel,
    readRename,
    readMove,
    readGuests,
    readFree,
    readEnter,
    readAgenda,
    readFind,
  ]) {
    const task = read(words, signs);
    if (task !== undefined) return task;
  }
  return undefined;
}

const readCancel: Reader = ({ scratch }, { cancelling, event, calendar }) =>
  cancelling && (event || calendar) && !scratch.has(/@/)
    ? { area: "calendar", kind: "refused", why: "cancel" }
    : undefined;

const readRename: Reader = ({ scratch, restore, language }, { renaming }) => {
  const taken = renaming ? takeRename(scratch, restore) : undefined;
  const words = eventWords(taken?.event ?? "");
  if (taken === undefined || words.length === 0) return undefined;
  const days = takeDays(scratch, language);
  return {
    area: "calendar",
    kind: "change",
    words,
    ...omitUndefined({ days }),
    change: taken.change,
  };
};

const hourLike =
  /\d{1,2}(?::\d{2}|\s?(?:uhr|h|am|pm)\b)|\b(?:from|von|de) \d{1,2} (?:to|until|bis|a) \d{1,2}\b/;
const movingVerbs =
  /(?<![a-z])(?:reschedule|move|shift|postpone|push|bring|put off|verschieben|verschiebe?|verlegen?|umlegen|deplace[rz]?|decale[rz]?|reporte[rz]?|repousse[rz]?)(?![a-z])/;

const readMove: Reader = ({ scratch, language }, { moving }) => {
  if (!moving) return undefined;
  scratch.take(movingVerbs);
  const change = takeMove(scratch, language);
  const days = takeDays(scratch, language);
  takeHours(scratch);
  const words = eventWords(scratch.text());
  return change === undefined || words.length === 0
    ? undefined
    : { area: "calendar", kind: "change", words, ...omitUndefined({ days }), change };
};

const readGuests: Reader = ({ scratch, language }, { inviting, uninviting, event }) => {
  if ((!inviting && !uninviting) || !scratch.has(/@/)) return undefined;
  // With a time, "a call" means a new event.
  if (scratch.has(hourLike) && !uninviting) return undefined;
  const change = takeGuests(scratch, uninviting);
  const days = takeDays(scratch, language);
  const words = eventWords(scratch.text());
  const isNamed =
    event ||
    scratch.has(
      /\b(?:to|from|zum|zur|zu|von|aus|vom|au|a|de|du) (?:the|my|our|dem|den|der|meinem|meiner|l'|la|le|mon|ma)?/,
    );
  return change === undefined || words.length === 0 || !isNamed
    ? undefined
    : { area: "calendar", kind: "change", words, ...omitUndefined({ days }), change };
};

const readFree: Reader = (words, { free, aboutMe, entering }) => {
  const { scratch, subject } = words;
  if (!free || !aboutMe || entering) return undefined;
  const emailRequest = scratch.has(/@/) ? takeEmailRequest(scratch, subject) : noEmailRequest;
  const length =
    takeLength(scratch) ??
    (scratch.has(/\b(?:free|freie|libre) (?:hour|stunde)\b|\bheure (?:de )?libre\b/)
      ? 60
      : undefined);
  const { days, part, hours } = takeWhen(words);
  const window = hours?.end === undefined ? part : { start: hours.start, end: hours.end };
  return {
    area: "calendar",
    kind: "free",
    emailRequest,
    days: days ?? { kind: "days", count: 4 },
    ...omitUndefined({ length, window }),
    ...(hours !== undefined && hours.end === undefined ? { at: hours } : {}),
  };
};

const readEnter: Reader = (words, { entering, event, calendar, bookings, repeating }) => {
  const { scratch, restore } = words;
  if (!entering || bookings || (!event && !calendar && !scratch.has(hourLike))) return undefined;
  if (repeating) return { area: "calendar", kind: "refused", why: "series" };
  const { to, cc, bcc } = takeRecipients(scratch);
  const guests = [...to, ...cc, ...bcc];
  const length = takeLength(scratch);
  const { days, hours } = takeWhen(words);
  if (days === undefined && hours === undefined) return undefined;
  const { title, people } = takeTitle(scratch, restore);
  const guestsWithoutAddress = people.filter(
    (name) =>
      !guests.some((guest) => foldText(guest).includes(foldText(name.split(" ")[0] ?? name))),
  );
  return {
    area: "calendar",
    kind: "enter",
    title,
    guests,
    guestsWithoutAddress,
    ...omitUndefined({ days, hours, length }),
  };
};

const readAgenda: Reader = (words, { agenda, asking, calendar, event }) => {
  const { scratch, subject } = words;
  if (!((calendar && asking) || agenda || (event && asking))) return undefined;
  const emailRequest = scratch.has(/@/) ? takeEmailRequest(scratch, subject) : noEmailRequest;
  const { days, part, hours } = takeWhen(words);
  if (days === undefined && !calendar) return undefined;
  const window = hours?.end === undefined ? part : { start: hours.start, end: hours.end };
  return {
    area: "calendar",
    kind: "agenda",
    days: days ?? { kind: "days", count: 7 },
    ...omitUndefined({ hours: window }),
    words: eventWords(scratch.text()).filter((word) => !isGeneric(word)),
    emailRequest,
  };
};

const readFind: Reader = ({ scratch }, { finding, event }) => {
  if (!finding || !event) return undefined;
  return { area: "calendar", kind: "find", words: eventWords(scratch.text()) };
};

function isGeneric(word: string): boolean {
  return (
    new RegExp(`^(?:${calendarSigns.event.source})$`).test(foldText(word)) ||
    calendarSigns.calendar.test(foldText(word))
  );
}

/** "My week", "mein Tag". */
function readOwn(scratch: Scratch): DayWish | undefined {
  const taken = scratch.take(/\b(?:my|meine?|ma) (?<unit>day|week|tag|woche|journee|semaine)\b/)
    ?.groups["unit"];
  if (taken === undefined) return undefined;
  return /^(?:w|s)/i.test(taken) ? { kind: "week", ahead: 0 } : { kind: "offset", days: 0 };
}

/** The part of the day is taken first, because "heute Morgen" uses "Morgen" in another sense. */
function takeWhen({ scratch, language }: Words): {
  readonly days?: DayWish;
  readonly part?: Required<HourSpan>;
  readonly hours?: HourSpan;
} {
  const part = takeDayPart(scratch);
  const named = takeDays(scratch, language) ?? readOwn(scratch);
  const days =
    named ?? (part?.isToday === true ? ({ kind: "offset", days: 0 } as const) : undefined);
  const hours = takeHours(scratch);
  return omitUndefined({ days, part: part === undefined ? undefined : part.hours, hours });
}
