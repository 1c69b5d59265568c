import { eventNoun } from "./create-event.ts";
import { defineRecipe, type Arguments, type Given, type Step } from "../recipe/recipe.ts";
import { dictation } from "../recipe/dictation.ts";
import { flag, type SlotReader } from "../recipe/slot.ts";
import { createText, type Text } from "../recipe/text.ts";
import { everything } from "./own-words.ts";
import { contentWords, restWords } from "../words/content-words.ts";
import { dayOf, days, plusDays, takeDays, type Days } from "./days.ts";
import { minutesOf, takeHours, takeLength, type Hours } from "./hours.ts";
import { listOf, textOf } from "./json.ts";
import { addressOf } from "./people.ts";

import {
  changeEvent,
  endOf,
  formOfEvent,
  readEventReply,
  type EventChange,
  type EventForm,
} from "./event-form.ts";
import { addressFor, lookUp, takePeople, type AddressValues } from "./find-address.ts";
import { localTime, readEvent, sayWhen, type CalendarEvent } from "./calendar-events.ts";
import { chooseEvent, type ChosenValues } from "./calendar-steps.ts";

interface Move {
  readonly days?: Days | undefined;
  readonly hours?: Hours | undefined;
  /** Minutes. */
  readonly shift?: number;
}

/** "To 1" */
function bareHour(tail: Text): Hours | undefined {
  const hour = tail.take(/^\s*(?<value>\d{1,2})(?=\s*(?:[.,!]|$))/);
  return hour === undefined ? undefined : takeHours(createText(`at ${hour}`));
}

/** Reads where an event moves to, from the words after "to" or "by". */
const move: SlotReader<Move> = (text, { today }) => {
  const isEarlier = text.has(/\b(?:forward|earlier)\b/);
  const shifted = (length: number | undefined) =>
    length === undefined ? undefined : { shift: isEarlier ? -length : length };
  const by = text.take(
    /\s(?:by\s+)?(?<value>(?:an?|one|two|three|four|half an|\d+) (?:minutes?|mins?|hours?|days?|weeks?))\s+(?:later|earlier)\b/,
  );
  if (by !== undefined) return shifted(takeLength(createText(by)));
  let target: Move | undefined;
  const read = (isShift: boolean) => (value: string) => {
    const tail = createText(value);
    target = isShift
      ? shifted(takeLength(tail))
      : { days: takeDays(tail, today, true), hours: takeHours(tail) ?? bareHour(tail) };
    // Words that it does not read stay in the text.
    const unread = tail.rest().search(/[\p{L}\d#@]/u);
    return unread < 0 ? value : value.slice(0, unread);
  };
  const found =
    text.take(/\sby\s+(?<value>.+)$/s, read(true)) ??
    text.take(/\s(?:to|until|for)\s+(?<value>.+)$/s, read(false)) ??
    text.take(/\b(?:make (?:it|that)|better|rather|at)\s+(?<value>.+)$/s, read(false));
  if (found === undefined) return undefined;
  return (target?.shift ?? target?.days ?? target?.hours) ? target : undefined;
};

/** The new start, or undefined if the event takes all day and only an hour is known. */
function movedStart(event: CalendarEvent, { days: target, hours, shift = 0 }: Move) {
  const day = target?.from ?? dayOf(event.start);
  const minutes = hours?.start ?? minutesOf(event.start);
  if (minutes === undefined) return plusDays(day, Math.round(shift / 1_440));
  return event.allDay && hours?.end === undefined ? undefined : localTime(day, minutes + shift);
}

interface UpdateValues extends ChosenValues, AddressValues {
  verb?: boolean;
  move?: Move;
  title?: string;
  guests?: readonly string[];
  isRemoval?: boolean;
  changes?: readonly EventChange[];
  form?: EventForm;
  updated?: CalendarEvent;
}

/** Changes the chosen event. What the owner wants at the approval is added to the change. */
function updateEvent(
  change: (values: UpdateValues & Given) => Arguments,
  done: (values: UpdateValues & Given) => string | readonly string[],
): readonly Step<UpdateValues>[] {
  return [
    ...lookUp<UpdateValues>(
      ({ changes = [] }) => changes.flatMap(({ also = [] }) => also),
      "people",
    ),
    {
      call: "calendar_event_update",
      with: (values) => ({
        eventId: values.event?.eventId,
        ...changedFields(values, change(values)),
      }),
      doing: "update the event",
      isEffect: true,
      unchanged: "Nothing was changed.",
      as: "updated",
      read: readEvent,
      onReply: { read: readEventReply, from: "people" },
    },
    { say: done },
  ];
}

/** The planned fields, with those that the owner changed. */
function changedFields(
  { event, changes = [], known }: UpdateValues,
  planned: Arguments,
): Arguments {
  if (event === undefined || changes.length === 0) return planned;
  const before = formOfEvent(event);
  const [start, end] = [textOf(planned, "start"), textOf(planned, "end")];
  const first = changeEvent(
    before,
    [{ edit: { ...(start ? { start } : {}), ...(end ? { end } : {}) } }],
    known,
  );
  const form = changeEvent(
    {
      ...first,
      summary: textOf(planned, "summary") || first.summary,
      guests: [
        ...first.guests.filter((one) => !listOf(planned["removeGuests"]).includes(one)),
        ...listOf(planned["addGuests"]).map(String),
      ],
    },
    changes,
    known,
  );
  const added = form.guests.filter((one) => !before.guests.includes(one));
  const removed = before.guests.filter((one) => !form.guests.includes(one));
  return {
    ...planned,
    start: form.start === before.start ? undefined : form.start,
    end: end === "" && form.length === before.length ? undefined : endOf(form),
    summary: form.summary === before.summary ? undefined : form.summary,
    location: form.location === before.location ? undefined : form.location,
    addGuests: added.length === 0 ? undefined : added,
    removeGuests: removed.length === 0 ? undefined : removed,
  };
}

/** "It" is no event by itself. */
const eventWords: SlotReader<readonly string[]> = (text, context) => {
  const words = restWords(text, context) ?? [];
  return words.every((word) => /^(?:back|again|it|hmm|instead)$/i.test(word)) ? [] : words;
};

/** "No, move it back to Tuesday 2pm" */
const moveBack: SlotReader<Move> = (text, context) => {
  const verb =
    /\b(?:move|put|set|change|make|push|shift|reschedule)\b[^,]*?\b(?:it|that)\b(?: back| again)?/;
  if (!text.has(verb)) return undefined;
  text.take(/\b(?:move|put|set|change|make|push|shift|reschedule)\b/);
  return move(text, context);
};

/** The answer to "Which one do you mean?" */
const otherEvent: SlotReader<readonly string[]> = (text, context) =>
  /^(?:the|my|on|at)\b/i.test(text.rest().trim()) && !text.has(/[?]/)
    ? restWords(text, context)
    : undefined;

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
  phrases: [
    "^move|reschedule|shift|postpone|push|bring|delay|change to|by|until|for|later|earlier",
  ],
  unless: ["note|notes|board|mail|email|file"],
  slots: {
    move,
    verb: flag(/\b(?:move|reschedule|shift|postpone|push|bring forward|bring|delay|change)\b/),
    days,
    words: eventWords,
  },
  needs: ["move", "words"],
  later: { move: moveBack, words: otherEvent },
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
    title: dictation([/\sto\s+(?<value>.+?)[\s.!?]*$/s]),
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

function isGuest(event: CalendarEvent | undefined, address: string): boolean {
  const email = addressOf(address).toLowerCase();
  return event?.guests.some((guest) => guest.toLowerCase().includes(email)) === true;
}

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
      takePeople(text, "(?:\\b(?:add|invite|include)\\s+|^\\s*)", "\\s+(?:to|from)\\b"),
    days,
    words: restWords,
  },
  needs: ["guests", "words"],
  steps: [
    ...chooseEvent,
    ...lookUp<UpdateValues>(({ guests = [] }) => guests),
    {
      if: ({ isRemoval, event, guests = [], known }) =>
        isRemoval !== true && guests.every((one) => isGuest(event, addressFor(one, known))),
      say: ({ guests = [], event }) =>
        `${guests.join(" and ")} ${guests.length > 1 ? "are guests" : "is a guest"} of "${event?.summary}" already, so I changed nothing.`,
      stop: true,
    },
    ...updateEvent(
      ({ isRemoval, guests = [], known }) => ({
        [isRemoval === true ? "removeGuests" : "addGuests"]: guests.map((one) =>
          addressFor(one, known),
        ),
      }),
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

/** The event that the last message of this model was about, if it was one. */
const eventBefore: SlotReader<readonly string[]> = (_, { conversation }) => {
  const said = conversation.earlierMessages.findLast(({ by }) => by === "model")?.text ?? "";
  const titles = said.matchAll(
    /^(?:Added|Moved|Changed|Updated|Renamed it to|Next is) "(?<title>[^\n]+?)"(?= on | to |\.|$)/gm,
  );
  const [only, ...others] = [...titles].map(({ groups }) => groups?.["title"] ?? "");
  return only === undefined || others.length > 0 ? [] : contentWords(only);
};

/** A change, if all words say what changes. */
const changeOfBefore: SlotReader<readonly EventChange[]> = (text, { today }) => {
  const words = text.rest().replace(/\bback\b/gi, " ");
  const read = readEventReply({ words, edit: {} }, { today });
  if (read === undefined || read.left.length > 0) return undefined;
  text.take(everything);
  return read.values.changes;
};

/** "Actually make it 45 minutes", after an event was added or moved. */
export const changeEventBeforeRecipe = defineRecipe<UpdateValues & { isCancel?: boolean }>({
  topic: "calendar",
  task: "",
  examples: [],
  phrases: [
    "make|move|add|invite|and|change|shift|put|push|rename|call|actually|remove|without|not|no|instead|later|earlier|at|on|then|also|rather|better|cancel|delete",
  ],
  slots: {
    words: eventBefore,
    isCancel: flag(
      /^\W*(?:(?:no|please|can you|could you|ok|and|now|then|actually)\W+)*(?:cancel|delete|remove|call off) (?:it|that|this)(?: event| meeting)?(?: again| please)?\W*$/,
    ),
    changes: changeOfBefore,
  },
  needs: ["words", "isCancel|changes"],
  isEntireMessage: true,
  steps: [
    {
      if: ({ isCancel }) => isCancel,
      say: "I can't delete events yet, but I can move or rename them.",
      stop: true,
      outcome: "could_not",
    },
    ...chooseEvent,
    ...updateEvent(
      () => ({}),
      ({ event, updated, changes = [] }) => {
        const when = updated === undefined ? "" : sayWhen(updated);
        const isMoved = changes.some(({ days: day, hours, shift }) => day ?? hours ?? shift);
        return [
          `${isMoved ? "Moved" : "Changed"} "${updated?.summary || event?.summary}"${when === "" ? "" : ` to ${when}`}.`,
          updated?.people.length ? `Guests: ${updated.people.join(", ")}.` : "",
        ];
      },
    ),
  ],
});
