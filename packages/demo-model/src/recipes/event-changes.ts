import { quotation } from "../recipe/quotes.ts";
import { defineRecipe, type Arguments, type Given, type Step } from "../recipe/recipe.ts";
import { after, flag, type SlotReader } from "../recipe/slot.ts";
import { createText } from "../recipe/text.ts";
import { restWords } from "../words/content-words.ts";
import { dayOf, days, daysAhead, plusDays, takeDays, type Days } from "../words/days.ts";
import { minutesOf, takeHours, takeLength, type Hours } from "./hours.ts";
import { addresses } from "../words/people.ts";
import { localTime, readEvent, sayWhen, type CalendarEvent } from "./calendar-events.ts";
import { checkDays, chooseEvent, type ChosenValues } from "./calendar-steps.ts";

const eventNoun =
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
  return [trimEnds(text.rest()), trimEnds(topic)]
    .filter((words) => words !== "")
    .join(": ")
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
};

/** Capitalized names after "with": "with Priya and Jonas". They stay in the text for the title. */
const people: SlotReader<readonly string[]> = (text) => {
  const [, list = ""] =
    /\bwith\s+(\p{Lu}[\p{L}'’-]*(?:(?:\s+|\s*,\s*|\s+and\s+)\p{Lu}[\p{L}'’-]*)*)(?![\p{L}@.])/u.exec(
      text.rest(),
    ) ?? [];
  return list.split(/\s*,\s*|\s+and\s+/).filter((name) => name !== "");
};

/** Addresses that join the guests: "add priya@x.example". */
const added: SlotReader<readonly string[]> = (text) =>
  text.takeAll(
    /\b(?:also )?(?:add|invite|include|plus)(?: also)? (?<value>[\w.+-]+@[\w.-]+\w)(?: too| as well)?/,
  );
const removed: SlotReader<readonly string[]> = (text) =>
  text.takeAll(/\b(?:remove|uninvite|without|drop|not) (?<value>[\w.+-]+@[\w.-]+\w)/);

interface CreateValues {
  isEvent?: boolean;
  added?: readonly string[];
  removed?: readonly string[];
  newTitle?: string;
  people?: readonly string[];
  guests?: readonly string[];
  days?: Days;
  length?: number;
  hours?: Hours;
  title?: string;
  made?: CalendarEvent;
}

export const createEventRecipe = defineRecipe<CreateValues>({
  topic: "calendar",
  task: "add an event",
  examples: [
    "Schedule a 30 minute call with jonas@lindqvist.example tomorrow at 10:00 about frame tubes.",
    "Please book a 30-minute call about frame tubes with jonas@lindqvist.example for tomorrow, 10am",
    "Can you arrange a call with jonas@lindqvist.example tomorrow from 10:00 about frame tubes for 30 minutes?",
    "Put lunch with Priya on Friday 12:30 for an hour",
    "Create an event called Rahmen on Friday from 14:00 to 15:00",
  ],
  phrases: [
    "^schedule|book|plan|put|add|create|set|set_up|arrange|enter|make|block|organize|organise",
  ],
  unless: [
    "flight|flights|hotel|table|taxi|train|ticket|tickets|room|car",
    "note|notes|board",
    "email|mail|draft",
  ],
  slots: {
    newTitle: after(
      new RegExp(
        `\\b(?:call it|rename it to|name it|title it|change the (?:title|name|subject) to)\\s+(?<value>${quotation}|[^,;.!?]+)`,
      ),
    ),
    isEvent: (text) => text.has(new RegExp(`\\b(?:${eventNoun}|calendar)s?\\b`)),
    people,
    removed,
    added,
    guests: addresses,
    days: daysAhead,
    length: takeLength,
    hours: takeHours,
    title,
  },
  needs: ["isEvent|hours", "isEvent|days"],
  later: ["days", "hours", "length", "added", "removed"],
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
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ days: wanted }) => wanted?.from !== wanted?.to,
      say: "Name one day, please. I didn't add anything.",
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ hours, length }) => hours === undefined && length !== 1_440,
      say: "What time should it be? I didn't add anything.",
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ title: name }) => !name,
      say: "What should the event be called? I didn't add anything.",
      stop: true,
      outcome: "needs_answer",
    },
    {
      id: "change",
      set: ({ guests = [], added: more = [], removed: gone = [], newTitle, title: name = "" }) => ({
        guests: [...new Set([...guests, ...more])].filter((one) => !gone.includes(one)),
        title: newTitle ?? name,
        added: [],
        removed: [],
      }),
    },
    {
      call: "calendar_event_create",
      with: ({ title: summary, days: wanted, hours, length, guests = [] }) => ({
        summary,
        start: hours === undefined ? wanted?.from : localTime(wanted?.from ?? "", hours.start),
        end: hours?.end === undefined ? undefined : localTime(wanted?.from ?? "", hours.end),
        durationMinutes: hours?.end === undefined ? (length ?? 30) : undefined,
        guests: guests.length === 0 ? undefined : guests,
      }),
      doing: "add the event",
      isEffect: true,
      unchanged: "Nothing was added.",
      as: "made",
      read: readEvent,
      onReply: {
        slots: ["days", "hours", "length", "guests", "added", "removed", "newTitle"],
        from: "change",
      },
    },
    {
      say: ({ made, title: name, guests = [], people: names = [], length, hours }) => {
        const when = made === undefined ? "" : sayWhen(made);
        return [
          `Added "${made?.summary || name}"${when === "" ? "" : ` on ${when}`}.`,
          guests.length === 0 ? "" : `Guests: ${guests.join(", ")}.`,
          names.length === 0
            ? ""
            : `I didn't invite ${names.join(", ")} because I don't have an email address.`,
          length === undefined && hours?.end === undefined ? "I assumed 30 minutes." : "",
        ];
      },
    },
  ],
  result: ({ made }) => made?.summary,
});

interface Move {
  readonly days?: Days | undefined;
  readonly hours?: Hours | undefined;
  /** Minutes. */
  readonly shift?: number;
}

/** Reads where an event moves to, from the words after "to" or "by". */
const move: SlotReader<Move> = (text, { today }) => {
  const isEarlier = text.has(/\b(?:forward|earlier)\b/);
  const groups =
    text.takeGroups(/\s(?<kind>to|by|until|for)\s+(?<value>.+)$/s) ??
    text.takeGroups(/\b(?:make (?:it|that)|better|rather|at)\s+(?<value>.+)$/s);
  if (groups === undefined) return undefined;
  const tail = createText(groups["value"] ?? "");
  if (groups["kind"] === "by") {
    const length = takeLength(tail);
    return length === undefined ? undefined : { shift: isEarlier ? -length : length };
  }
  const target = { days: takeDays(tail, today, true), hours: takeHours(tail) };
  return target.days === undefined && target.hours === undefined ? undefined : target;
};

/** The new start, or undefined if the event takes all day and only an hour is known. */
function movedStart(event: CalendarEvent, { days: target, hours, shift = 0 }: Move) {
  const day = target?.from ?? dayOf(event.start);
  const minutes = hours?.start ?? minutesOf(event.start);
  if (minutes === undefined) return plusDays(day, Math.round(shift / 1_440));
  return event.allDay && hours?.end === undefined ? undefined : localTime(day, minutes + shift);
}

interface UpdateValues extends ChosenValues {
  verb?: boolean;
  move?: Move;
  /** Where it was to move before the owner changed that. */
  planned?: Move;
  title?: string;
  guests?: readonly string[];
  isRemoval?: boolean;
  updated?: CalendarEvent;
}

/** Changes the chosen event. */
function updateEvent(
  change: (values: UpdateValues & Given) => Arguments,
  done: (values: UpdateValues & Given) => string | readonly string[],
): readonly Step<UpdateValues>[] {
  return [
    {
      id: "change",
      if: ({ move: target }) => target,
      set: ({ move: target = {}, planned = {} }) => {
        const merged = {
          shift: target.shift ?? planned.shift ?? 0,
          days: target.days ?? planned.days,
          hours: target.hours ?? planned.hours,
        };
        return { move: merged, planned: merged };
      },
    },
    {
      call: "calendar_event_update",
      with: (values) => ({ eventId: values.event?.eventId, ...change(values) }),
      doing: "update the event",
      isEffect: true,
      unchanged: "Nothing was changed.",
      as: "updated",
      read: readEvent,
      onReply: { slots: ["move", "title", "guests"], from: "change" },
    },
    { say: done },
  ];
}

export const moveEventRecipe = defineRecipe<UpdateValues>({
  topic: "calendar",
  task: "move an event",
  examples: [
    "Move my 1:1 with Jonas to Thursday 15:00.",
    "Move the supplier call to 16:30",
    "Move Wednesday's supplier call to Friday from 9 to 10",
    "Postpone the supplier call by an hour",
    "Reschedule my 1:1 with Jonas to Thursday at 15:00",
  ],
  phrases: ["^move|reschedule|shift|postpone|push|bring|delay|change to|by|until|for"],
  unless: ["note|notes|board|mail|email|file"],
  slots: {
    move,
    verb: flag(/\b(?:move|reschedule|shift|postpone|push|bring forward|bring|delay|change)\b/),
    days,
    words: restWords,
  },
  needs: ["move", "words"],
  later: ["words"],
  steps: [
    {
      if: ({ move: target }) => target?.days?.problem,
      set: ({ move: target }) => (target?.days === undefined ? {} : { days: target.days }),
    },
    ...chooseEvent,
    {
      if: ({ event, move: target }) =>
        event !== undefined && movedStart(event, target ?? {}) === undefined,
      say: "What time should it be? I didn't change anything.",
      stop: true,
      outcome: "needs_answer",
    },
    ...updateEvent(
      ({ event, move: target = {}, agenda }) => ({
        start: event === undefined ? undefined : movedStart(event, target),
        end:
          target.hours?.end === undefined
            ? undefined
            : localTime(target.days?.from ?? dayOf(event?.start), target.hours.end),
        timeZone: agenda?.timeZone || undefined,
      }),
      ({ event, updated }) => {
        const when = updated === undefined ? "" : sayWhen(updated);
        return `Moved "${updated?.summary || event?.summary}"${when === "" ? "" : ` to ${when}`}.`;
      },
    ),
  ],
});

export const renameEventRecipe = defineRecipe<UpdateValues>({
  topic: "calendar",
  task: "rename an event",
  examples: ["Rename the 1:1 with Jonas to Coffee", "Rename the supplier call to Brandt prices"],
  phrases: ["^rename|retitle to"],
  slots: {
    title: after(/\sto\s+(?<value>.+?)[\s.!?]*$/s),
    verb: flag(/\b(?:rename|retitle)\b/),
    days,
    words: restWords,
  },
  needs: ["title", "words"],
  steps: [
    ...chooseEvent,
    ...updateEvent(
      ({ title: summary }) => ({ summary }),
      ({ updated, title: name }) => `Renamed it to "${updated?.summary || name}".`,
    ),
  ],
});

export const eventGuestsRecipe = defineRecipe<UpdateValues>({
  topic: "calendar",
  task: "add or remove guests",
  examples: [
    "Add eva@brandt-metall.example to the supplier call",
    "Invite eva@brandt-metall.example to the supplier call",
    "Remove eva@brandt.example from the supplier call",
  ],
  phrases: ["^add|invite|include to", "^remove|uninvite from"],
  unless: ["note|notes|board"],
  slots: {
    isRemoval: flag(/\b(?:remove|uninvite)\b/),
    guests: (text) =>
      text.takeAll(/(?:\b(?:add|invite|include)\s+)?(?<value>[\w.+-]+@[\w.-]+\w)\s+(?:to|from)\b/),
    days,
    words: restWords,
  },
  needs: ["guests", "words"],
  steps: [
    ...chooseEvent,
    ...updateEvent(
      ({ isRemoval, guests }) =>
        isRemoval === true ? { removeGuests: guests } : { addGuests: guests },
      ({ updated, event }) => [
        `Updated "${updated?.summary || event?.summary}".`,
        `Guests: ${updated?.people.join(", ")}.`,
      ],
    ),
  ],
});

export const deleteEventRecipe = defineRecipe({
  topic: "calendar",
  task: "",
  examples: ["Cancel the supplier call", "Delete my meeting with Jonas"],
  phrases: [`^cancel|delete|call_off ${eventNoun}|appointments|meetings`],
  isEntireMessage: true,
  slots: {},
  steps: [
    { say: "I can't delete events yet, but I can move or rename them.", outcome: "could_not" },
  ],
});
