import { quotation } from "../recipe/quotes.ts";
import { defineRecipe, type Given } from "../recipe/recipe.ts";
import { after, flag, type SlotReader } from "../recipe/slot.ts";
import { createText } from "../recipe/text.ts";
import { daysAhead, type Days } from "./days.ts";
import { noConversation } from "../conversation.ts";
import { addresses, sender } from "./people.ts";
import { localTime, readEvent, sayWhen, type CalendarEvent } from "./calendar-events.ts";
import { checkDays } from "./calendar-steps.ts";
import {
  changeEvent,
  endOf,
  readEventReply,
  type EventChange,
  type EventForm,
} from "./event-form.ts";
import { addressFor, lookUp, takePeople, toName, type AddressValues } from "./find-address.ts";
import { readValue } from "./calculate.ts";
import { sayMinutes, takeHours, takeLength, type Hours } from "./hours.ts";

export const eventNoun =
  "call|meeting|appointment|lunch|dinner|breakfast|coffee|event|1:1|interview|review|session|stand-up|standup|visit|sync|demo|training|workshop|reminder";

const commands =
  /(?:^|(?<=[\s,.;:!?]))(?:please|can you|could you|would you|schedule|book|plan|put|add|create|set up|arrange|enter|set|make|block(?: off)?|organi[sz]e|for me|me)(?=[\s,.;:!?]|$)/;
const inCalendar =
  /\b(?:(?:in|into|to|on|onto)\s+)?(?:(?:my|the|our)\s*)?(?:calendar|diary|agenda|schedule)\b/;

/** Removes articles at the start, and prepositions whose object was taken. */
function trimEnds(words: string): string {
  const text = words
    .replace(/\s+/g, " ")
    .replace(/^[\s,.;:!?-]+|[\s,.;:!?-]+$/g, "")
    .replace(/^(?:(?:a|an|the|my|our|another|new)\s+)+/i, "");
  const shorter = text
    .replace(/(?:^|[\s,])(?:with|on|at|for|about|from|to|and|of|by)[\s,.]*$/i, "")
    .replace(/^(?:with|for|to|on|at|by)\s+(?=\p{Ll})/u, "");
  return shorter === text ? text : trimEnds(shorter);
}

function capitalize(words: string): string {
  return words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

const givenTitle = after(
  new RegExp(
    `,?\\s*\\b(?:called|titled|named|entitled)\\s*:?\\s*(?<value>${quotation}|[^,;]+?)(?=\\s*(?:[,;.!?]|\\s{2,}|$))`,
  ),
  new RegExp(`(?<value>${quotation})`),
);

/** The title in the owner's words. Times, guests and lengths must have been taken before. */
const title: SlotReader<string> = (text, context) => {
  const named = givenTitle(text, context);
  if (named !== undefined) return named;
  while (text.take(commands) !== undefined);
  text.take(inCalendar);
  const topic =
    text.take(/\babout (?<value>.+?)(?=\s+(?:with|for|on|at)\b|\s{2,}|[,.;!?]|\s*$)/) ?? "";
  // Words after a time or a comma are no part of it, except the people.
  const pieces = text
    .rest()
    .split(/\s{2,}|[,;.!?]+(?:\s|$)/)
    .filter((piece) => trimEnds(piece) !== "");
  const own = pieces.filter((piece, at) => at === 0 || /^\s*with\s/i.test(piece));
  for (const piece of own) {
    const at = text.rest().indexOf(piece);
    text.take(new RegExp(`(?<=^[^]{${at}})[^]{${piece.length}}`));
  }
  const words = [trimEnds(own.join(" ")), trimEnds(topic)].filter((part) => part !== "");
  return capitalize(words.join(": "));
};

/** Names after "with": "with Priya and Jonas". They stay in the text for the title. */
const people: SlotReader<readonly string[]> = (text) =>
  takePeople(createText(text.rest()), "\\bwith\\s+");

interface Pronoun {
  readonly word: string;
  /** The people that it means, as far as the owner's words show. */
  readonly names: readonly string[];
}

/** The people that words are about: "send priya a mail", "tell jonas", "with lea". */
function peopleIn(words: string): readonly string[] {
  const context = { conversation: noConversation, today: "" };
  const text = createText(words);
  const first = toName(createText(words), context);
  return [
    ...(first === undefined
      ? []
      : [first, ...takePeople(createText(words), `\\b${first}(?:,| and)\\s+`)]),
    ...takePeople(text, "\\b(?:tell|ask|message|dm|invite|remind|call|with|thank)\\s+"),
    ...(addresses(text, context) ?? []),
    ...[sender(text, context) ?? []].flat(),
  ];
}

/** "With her" is the person of the sentence, or of the message before. */
const pronoun: SlotReader<Pronoun> = (text, { conversation }) => {
  const form =
    /\b(?:together )?with (?<value>him|her|them)(?=\s*(?:[,.;!?]|$)|\s+(?:on|at|for|from|in|to|about|and|today|tonight|tomorrow|next|this|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|\s{2})/;
  const word = text.take(form)?.toLowerCase();
  if (word === undefined) return undefined;
  const own = conversation.task.slice(
    0,
    Math.max(0, conversation.task.search(new RegExp(form, "i"))),
  );
  const before = conversation.earlierMessages.findLast(({ by }) => by === "user")?.text ?? "";
  const found = [own, before].map(peopleIn).find(({ length }) => length > 0) ?? [];
  const names = [
    ...new Map(
      found.map((one) => [
        one.toLowerCase(),
        one.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
      ]),
    ).values(),
  ];
  return { word, names: word === "them" || names.length === 1 ? names : [] };
};

/** The answer to "Who do you mean?" */
const whom: SlotReader<readonly string[]> = (text) =>
  takePeople(text, "^\\W*(?:with |i mean |it's )?", "\\W*$");

const groups =
  /\bwith (?:the |my |our |all |whole |entire )*(?:team|everyone|everybody|all|group|colleagues|staff|department|crew|folks|company)\b/i;

const invited: SlotReader<readonly string[]> = (text) => {
  const named = takePeople(text, "\\b(?:also )?invite\\s+", "(?:\\s+(?:too|as well|also))?");
  if (text.take(/(?:,?\s*\band )?\binvite (?:her|him|them)\b/) === undefined) return named;
  const other = createText(text.rest());
  return [...named, ...takePeople(other, "\\bwith\\s+")];
};

interface CreateValues extends AddressValues {
  isEvent?: boolean;
  isReminder?: boolean;
  invited?: readonly string[];
  changes?: readonly EventChange[];
  people?: readonly string[];
  pronoun?: Pronoun;
  whom?: readonly string[];
  guests?: readonly string[];
  days?: Days;
  length?: number;
  hours?: Hours;
  title?: string;
  form?: EventForm;
  place?: string;
  /** "Thursday, 2026-11-19 18:02 (UTC, UTC)" */
  now?: string;
  made?: CalendarEvent;
}

/** The names that nobody asked to invite in other words, and that have no known address. */
const notInvited = ({
  people: names = [],
  invited: asked = [],
  known,
  title: name = "",
}: CreateValues) => [
  ...names.filter(
    (one) => known?.[one] === undefined && !one.includes("@") && !asked.includes(one),
  ),
  ...(groups.exec(name) ?? []).map((words) => words.replace(/^with /i, "")),
];

const isPast = ({ days: wanted, hours, now = "", today }: CreateValues & Given) => {
  const [, day = today, time = ""] = /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})/.exec(now) ?? [];
  const from = wanted?.from ?? "";
  return (
    from !== "" &&
    (from < today || (from === day && hours !== undefined && sayMinutes(hours.start) < time))
  );
};

export const createEventRecipe = defineRecipe<CreateValues>({
  topic: "calendar",
  task: "add an event",
  examples: [
    "Schedule a 30 minute call with jonas@lindqvist.example tomorrow at 10:00 about frame tubes.",
    "Please book a 30-minute call about frame tubes with jonas@lindqvist.example for tomorrow, 10am",
    "Can you arrange a call with jonas@lindqvist.example tomorrow from 10:00 about frame tubes for 30 minutes?",
    "Put lunch with Priya on Friday 12:30 for an hour",
    "Create an event called Rahmen on Friday from 14:00 to 15:00",
    "can you put lunch with lea on monday 12.30 for 45 minutes and invite her",
    "remind me tomorow at 9 to call the dentist",
  ],
  phrases: [
    "^schedule|book|plan|put|add|create|set|set_up|arrange|enter|make|block|organize|organise|remind_me",
  ],
  unless: [
    "flight|flights|hotel|table|taxi|train|ticket|tickets|car",
    "^book|reserve|plan|schedule meeting_room|room_for",
    "note|notes|board",
    "email|mail|draft",
  ],
  slots: {
    isReminder: flag(/\bremind me\b(?: to\b)?/),
    isEvent: (text) => text.has(new RegExp(`\\b(?:${eventNoun}|calendar)s?\\b`)),
    pronoun,
    whom,
    people,
    invited,
    guests: addresses,
    days: daysAhead,
    length: takeLength,
    hours: takeHours,
    place: after(
      /\bin (?:the )?(?<value>(?:meeting |conference )?(?:room|hall|building|office|kitchen|canteen|lobby)\b(?: (?:\d+|[A-Z])\b)?)/,
    ),
    title,
  },
  needs: ["isEvent|isReminder|hours", "isEvent|isReminder|days"],
  continues: ["invite her|him|them"],
  steps: [
    {
      if: ({ request }) => /\b(?:every|weekly|daily|monthly)\b/i.test(request),
      say: "I can only add single events, not recurring ones, so I didn't add anything.",
      stop: true,
      outcome: "could_not",
    },
    ...checkDays,
    {
      if: ({ days: wanted }) => wanted === undefined,
      say: "What day should it be? I didn't add anything.",
      asks: ["days", "hours", "length"],
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ days: wanted }) => wanted?.from !== wanted?.to,
      say: "Name one day, please. I didn't add anything.",
      asks: ["days"],
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ hours, length }) => hours === undefined && length !== 1_440,
      say: "What time should it be? I didn't add anything.",
      asks: ["hours", "length"],
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ pronoun: other, whom: named = [] }) => other?.names.length === 0 && named.length === 0,
      say: ({ pronoun: other }) => `Who do you mean by "${other?.word}"? I didn't add anything.`,
      asks: ["whom"],
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ pronoun: other }) => other,
      set: ({ pronoun: other, whom: named = [], people: names = [], title: own }) => {
        const meant = named.length > 0 ? named : (other?.names ?? []);
        return {
          people: [...names, ...meant],
          title: `${own || "Meeting"} with ${meant.join(" and ")}`,
        };
      },
    },
    {
      if: ({ title: name = "" }) => /^(?:it|that|this)$/i.test(name),
      set: ({ previous = "" }) => ({ title: capitalize(previous.split("\n")[0] ?? "") }),
    },
    {
      if: ({ title: name, pronoun: other }) => !name && !other,
      say: "What should the event be called? I didn't add anything.",
      asks: ["title"],
      isFreeText: true,
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ days: wanted, today }) => wanted?.from === today,
      call: "clock",
      with: () => ({}),
      doing: "check the time",
      as: "now",
      read: readValue,
      rescue: () => "",
    },
    {
      if: isPast,
      say: "That time is in the past, so I didn't add anything. When should it be?",
      asks: ["days", "hours"],
      stop: true,
      outcome: "needs_answer",
    },
    ...lookUp<CreateValues>(({ people: names = [] }) => names, undefined, true),
    ...lookUp<CreateValues>(
      ({ invited: names = [], changes = [] }) => [
        ...names,
        ...changes.flatMap(({ also = [] }) => also),
      ],
      "people",
    ),
    { set: (values) => ({ form: formOfRequest(values) }) },
    {
      call: "calendar_event_create",
      with: ({ form, hours, changes = [] }) => ({
        summary: form?.summary,
        start: form?.start,
        end: isExact(hours, changes) && form ? endOf(form) : undefined,
        durationMinutes: isExact(hours, changes) ? undefined : (form?.length ?? 30),
        location: form?.location,
        guests: form?.guests.length === 0 ? undefined : form?.guests,
      }),
      doing: "add the event",
      isEffect: true,
      unchanged: "Nothing was added.",
      as: "made",
      read: readEvent,
      onReply: { read: readEventReply, from: "people" },
    },
    {
      comesFirst: true,
      outcome: (values) => (notInvited(values).length > 0 ? "partly_done" : "done"),
      say: ({ made, form, length, hours, changes = [], isReminder, ...values }) => {
        const when = made === undefined ? "" : sayWhen(made);
        const guests = made?.guests.length ? made.guests : (form?.guests ?? []);
        const also = changes.flatMap(({ also: more = [] }) => more.map((one) => one.toLowerCase()));
        const others = notInvited(values).filter((one) => !also.includes(one.toLowerCase()));
        return [
          `Added "${made?.summary || form?.summary}"${when === "" ? "" : ` on ${when}`}.`,
          isReminder ? "I can't send reminders, so it is an event in your calendar." : "",
          guests.length === 0 ? "" : `Guests: ${guests.join(", ")}.`,
          others.length === 0
            ? ""
            : `I didn't invite ${others.join(", ")} because I don't have an email address.`,
          length === undefined && hours?.end === undefined && changes.length === 0
            ? "I assumed 30 minutes."
            : "",
        ];
      },
    },
  ],
  result: ({ made }) => made?.summary,
});

/** The owner gave an end instead of a length. */
const isExact = (hours: Hours | undefined, changes: readonly EventChange[]) =>
  (hours?.end !== undefined && changes.length === 0) ||
  changes.some((change) => change.hours?.end !== undefined || change.edit?.["end"] !== undefined);

function formOfRequest({
  title: summary,
  days: wanted,
  hours,
  length,
  guests = [],
  invited: asked = [],
  people: names = [],
  place: location,
  changes = [],
  known = {},
}: CreateValues): EventForm {
  const day = wanted?.from ?? "";
  const form = {
    summary,
    start: hours === undefined ? day : localTime(day, hours.start),
    length: hours?.end === undefined ? (length ?? 30) : hours.end - hours.start,
    location,
    guests: [
      ...new Set([
        ...guests,
        ...[...asked, ...names.filter((one) => known[one])].map((one) => addressFor(one, known)),
      ]),
    ],
  };
  return changeEvent(form, changes, known);
}
