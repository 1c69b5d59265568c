import { defineRecipe } from "../recipe/recipe.ts";
import { flag } from "../recipe/slot.ts";
import { createText } from "../recipe/text.ts";
import { restWords } from "../words/content-words.ts";
import { days, plusDays, takeDays, type Days } from "./days.ts";
import {
  sayMinutes,
  takeHours,
  takeLength,
  takeTimeOfDay,
  takeTimes,
  type Hours,
  type Times,
} from "./hours.ts";
import { nameOf, sender } from "./people.ts";
import {
  eventLines,
  eventsAt,
  gapLines,
  matchingEvents,
  readAgenda,
  sayWhen,
  specificWords,
  type CalendarEvent,
} from "./calendar-events.ts";
import { onDays, readCalendar, sayDays, type AgendaValues } from "./calendar-steps.ts";
import { readValue } from "./calculate.ts";
import { openMessage, searchEmail, type MessageValues } from "./search-email.ts";
import { emailLater, emailSlots, sendEmail, type EmailValues } from "./send-email.ts";

interface AgendaRecipeValues extends AgendaValues, EmailValues {
  timeOfDay?: Required<Hours>;
  words?: readonly string[];
  shown?: readonly CalendarEvent[];
}

export const agendaRecipe = defineRecipe<AgendaRecipeValues>({
  topic: "calendar",
  task: "list your events",
  examples: [
    "What is on my calendar in the next 7 days?",
    "what's on my calendar tomorrow",
    "Show me my appointments for tomorrow",
    "Do I have any meetings tomorrow?",
    "What does my week look like?",
    "Which meetings do I have this week?",
    "Do I have a meeting with Oskar tomorrow?",
    "Tell me what's on my calendar tomorrow and mail it to jonas@x.example",
  ],
  phrases: [
    "what|what's|which|show|list|check|any|give|read|summar*|send|email|mail calendar|diary|agenda|schedule|appointments",
    "which|what|any|list|show meetings|events|appointments",
    "do_i_have meeting|meetings|appointment|appointments|event|events|plans|call|calls|anything|something",
    "what_do_i_have|what_have_i_got|what_am_i_doing|am_i_busy",
    "what|what's|how|how's|summar*|plan|show|about my_week|my_day|today|the_day look|summar*|like|plan|going|show|what_should_i_do",
    "^what|what's|anything on_monday|on_tuesday|on_wednesday|on_thursday|on_friday|on_saturday|on_sunday",
    "^what|what's|anything on_my_plate|on_today|on_tomorrow|on_for_today|going_on_today|happening_today|happening_tomorrow",
    "^am_i busy",
    "^about my_day|my_week",
  ],
  unless: [
    "free|available|availability|slots",
    "at_the_same_time|in_parallel|simultaneously|at_once",
    "weather|news",
    "mails|emails about",
    "show|list|which|what|any|find mails|emails|messages|invoices|drafts",
    "how_many",
    "^schedule|book|put|add|create|move|rename|post",
  ],
  slots: { ...emailSlots, timeOfDay: takeTimeOfDay, days, words: restWords },
  continues: ["send|mail|email it|them|that"],
  later: { days, ...emailLater },
  steps: [
    ...readCalendar,
    {
      set: ({ agenda, timeOfDay }) => ({
        shown: (agenda?.events ?? []).filter(
          (event) =>
            timeOfDay === undefined ||
            event.allDay ||
            eventsAt([event], event.start.slice(0, 10), timeOfDay).length > 0,
        ),
      }),
    },
    {
      say: ({ shown = [], words = [], days: wanted }) => {
        if (wanted === undefined) return undefined;
        if (shown.length === 0) return `There's nothing on your calendar ${onDays(wanted)}.`;
        const matching = words.length === 0 ? shown : matchingEvents(shown, words);
        const heading =
          matching.length === 0
            ? `Nothing on your calendar ${onDays(wanted)} mentions "${words.join(" ")}". Here's what is there:`
            : wanted.count > 1
              ? `Your next ${wanted.count} days:`
              : `Your calendar for ${sayDays(wanted)}:`;
        return [heading, ...eventLines(matching.length === 0 ? shown : matching, wanted)];
      },
      outcome: ({ shown = [], words = [] }) =>
        shown.length > 0 && words.length > 0 && matchingEvents(shown, words).length === 0
          ? "could_not"
          : "done",
    },
    { if: ({ agenda }) => agenda?.hasMore, say: "There are more events than these." },
    ...sendEmail<AgendaRecipeValues>(({ days: wanted, said }) => ({
      subject: `Calendar, ${wanted === undefined ? "" : sayDays(wanted)}`,
      body: said.join("\n"),
      isSummary: true,
    })),
  ],
  result: ({ said }) => said.join("\n"),
});

interface FindEventValues {
  words?: readonly string[];
  found?: readonly CalendarEvent[];
}

export const findEventRecipe = defineRecipe<FindEventValues>({
  topic: "calendar",
  task: "find an event",
  examples: [
    "When is my next 1:1 with Jonas?",
    "When is the supplier call?",
    "What time is my next stand-up?",
  ],
  phrases: ["^when_is|when's|when_are|when_do_i|what_time_is my|the|next|have"],
  unless: ["free|available", "due|invoice|order|quote|bill", "it_in"],
  slots: { words: restWords },
  needs: ["words"],
  steps: [
    {
      if: ({ today }) => today === "",
      say: "I couldn't find out today's date. Give me the date, including the year.",
      stop: true,
      outcome: "needs_answer",
    },
    {
      call: "calendar_search",
      with: ({ words = [], today }) => ({
        query: specificWords(words).join(" "),
        from: today,
        to: plusDays(today, 180),
        maxResults: 20,
      }),
      doing: "check your calendar",
      as: "found",
      read: (result, { words = [] }) => matchingEvents(readAgenda(result)?.events ?? [], words),
    },
    {
      say: ({ found = [], words = [] }) =>
        found.length === 0
          ? `I couldn't find "${words.join(" ")}" on your calendar in the next 180 days.`
          : found.slice(0, 5).map((event) => `"${event.summary}" is on ${sayWhen(event)}.`),
      outcome: ({ found = [] }) => (found.length === 0 ? "could_not" : "done"),
    },
  ],
  result: ({ said }) => said.join("\n"),
});

interface FreeValues extends AgendaValues, EmailValues {
  isOpen?: boolean;
  length?: number;
  hours?: Times;
  /** "Thursday, 2026-11-19 18:02 (UTC, UTC)" */
  now?: string;
  isPast?: boolean;
}

function sayFree({ agenda, days: wanted, hours, length, isOpen }: FreeValues): readonly string[] {
  if (wanted === undefined) return [];
  const events = agenda?.events ?? [];
  const isOneDay = wanted.from === wanted.to;
  if (hours !== undefined && hours.isPart !== true && isOpen !== true && isOneDay) {
    const { start, end = Math.min(start + (length ?? 30), 1_439) } = hours;
    const time = `${onDays(wanted)}, ${sayMinutes(start)} to ${sayMinutes(end)}`;
    const busy = eventsAt(events, wanted.from, { start, end });
    return busy.length === 0
      ? [`You're free ${time}.`]
      : [`You're busy ${time}:`, ...eventLines(busy)];
  }
  const window = { start: hours?.start ?? 480, end: hours?.end ?? 1_080 };
  const time = `${onDays(wanted)}, between ${sayMinutes(window.start)} and ${sayMinutes(window.end)}`;
  const gaps = gapLines(events, wanted, window, length);
  const isAllFree = gaps.join() === gapLines([], wanted, window).join();
  const allDay = [...new Set(events.filter((event) => event.allDay).map(({ summary }) => summary))];
  return [
    ...(gaps.length === 0
      ? [`No free time ${time}.`]
      : isAllFree
        ? [`You're free the entire time ${time}.`]
        : [`You're free ${time}:`, ...gaps]),
    ...(allDay.length === 0 ? [] : [`All-day events, not counted as busy: ${allDay.join(", ")}.`]),
  ];
}

export const freeTimeRecipe = defineRecipe<FreeValues>({
  topic: "calendar",
  task: "find free time",
  examples: [
    "When am I free on Thursday afternoon?",
    "Do I have any free slots on Thursday afternoon?",
    "Show me my availability on Thursday afternoon",
    "Find me a free three hours on Thursday between 9:00 and 15:30",
    "Am I free on Thursday at 14:45?",
    "Tell me if I'm free tomorrow",
    "when do i have time on thursday morning for half an hour?",
    "am i free next tue between 2 and 3?? if theres a clash tell me what",
  ],
  phrases: [
    "do_i_have|is_there|have_i_got time",
    "am_i|i'm|i_am|do_i_have|when|find|show|my|give|whether|if|what free|available|availability|slots|slot|openings|gaps|gap",
  ],
  unless: ["mails|emails", "invitation|invite", "^post|send|write|note"],
  slots: {
    ...emailSlots,
    isOpen: flag(/\bwhen\b|\bfind\b|\bslots?\b|\bavailability\b|\bgaps?\b|\bopenings?\b/),
    days,
    length: takeLength,
    hours: takeTimes,
  },
  needs: ["days|hours"],
  continues: ["if|what|tell|which|who clash|clashes|conflict|conflicts|overlap|overlaps|busy"],
  fillers: "time lunch dinner breakfast coffee call chat",
  later: { days, hours: takeTimes },
  steps: [
    {
      if: ({ days: wanted, today }) => wanted === undefined && today !== "",
      set: ({ today }) => ({ days: { from: today, to: today, count: 0 } }),
    },
    ...readCalendar,
    {
      if: ({ days: wanted, hours, today }) =>
        wanted?.from === today &&
        wanted.to === today &&
        hours !== undefined &&
        hours.isPart !== true,
      call: "clock",
      with: ({ agenda }) => ({ timezone: agenda?.timeZone || undefined }),
      doing: "check the time",
      as: "now",
      read: readValue,
      rescue: () => "",
    },
    {
      set: ({ now = "", hours, days: wanted, request }) => {
        const [, day = "", time = ""] = /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})/.exec(now) ?? [];
        const isPast =
          day === wanted?.from && time > sayMinutes(hours?.end ?? hours?.start ?? 1_439);
        // A weekday whose hour is over is that of next week.
        const next = plusDays(day, 7);
        return isPast && !/\btoday|tonight|this\b/i.test(request)
          ? { isPast, days: { from: next, to: next, count: 0 } }
          : { isPast: false };
      },
    },
    {
      if: ({ isPast }) => isPast,
      call: "calendar_search",
      with: ({ days: wanted }) => ({ from: wanted?.from, to: wanted?.to, maxResults: 100 }),
      doing: "check your calendar",
      as: "agenda",
      read: readAgenda,
    },
    { say: sayFree },
    ...sendEmail<FreeValues>(({ days: wanted, said }) => ({
      subject: `Free time, ${wanted === undefined ? "" : sayDays(wanted)}`,
      body: said.join("\n"),
      isSummary: true,
    })),
  ],
  result: ({ said }) => said.join("\n"),
});

interface InvitationValues extends AgendaValues, MessageValues {
  sender?: string;
  when?: { readonly days: Days; readonly hours: Required<Hours> } | undefined;
}

/** The first line of a text that names a day and an hour. A line with "When:" comes first. */
function whenIn(text: string, today: string): InvitationValues["when"] {
  const lines = text
    .slice(0, 5_000)
    .split("\n")
    .map((line) => line.slice(0, 300));
  const isWhen = (line: string) => Number(/^\s*when:/i.test(line));
  for (const line of lines.toSorted((a, b) => isWhen(b) - isWhen(a))) {
    const words = createText(line);
    const found = takeDays(words, today);
    const hours = takeHours(words);
    if (found !== undefined && found.problem === undefined && hours !== undefined)
      return { days: found, hours: { start: hours.start, end: hours.end ?? hours.start + 60 } };
  }
  return undefined;
}

export const invitationRecipe = defineRecipe<InvitationValues>({
  topic: "calendar",
  task: "say whether you are free for an invitation in your email",
  examples: [
    "Find the invitation from Nora Wirth in my email and tell me whether I'm free then.",
    "Am I free for the invitation from Nora Wirth?",
    "Look up the invite that Nora Wirth sent me and check whether I have time then",
    "Can I make it to the invitation from Nora Wirth?",
  ],
  phrases: ["invitation|invite"],
  unless: ["^send|write|draft|post|schedule|add"],
  slots: { sender },
  needs: ["sender"],
  continues: ["free|available|busy|time|calendar|conflict|clash|attend"],
  steps: [
    ...searchEmail<InvitationValues>(({ sender: from }) => ({
      sender: from,
      document: { names: ["invitation", "invite"], related: ["invited"] },
      isFromOthers: true,
    })),
    { set: ({ found }) => (found?.matches[0] === undefined ? {} : { match: found.matches[0] }) },
    ...openMessage,
    {
      set: ({ message, today }) => ({
        when: whenIn(message?.text ?? "", today) ?? whenIn(message?.subject ?? "", today),
      }),
    },
    {
      if: ({ when }) => when === undefined,
      say: ({ message }) =>
        `I couldn't find a time in "${message?.subject}" from ${nameOf(message?.from ?? "")}.`,
      stop: true,
      outcome: "could_not",
    },
    { set: ({ when }) => (when === undefined ? {} : { days: when.days }) },
    ...readCalendar,
    {
      say: ({ agenda, when, message }) => {
        if (when === undefined) return undefined;
        const isOwn = ({ summary }: CalendarEvent) =>
          summary !== "" && message?.subject.includes(summary) === true;
        const all = eventsAt(agenda?.events ?? [], when.days.from, when.hours);
        const busy = all.filter((event) => !isOwn(event));
        const own = all.find(isOwn);
        const time = `${onDays(when.days)}, ${sayMinutes(when.hours.start)} to ${sayMinutes(when.hours.end)}`;
        return [
          ...(busy.length === 0
            ? [`You're free ${time}.`]
            : [`You're busy ${time}:`, ...eventLines(busy)]),
          own === undefined
            ? ""
            : `"${own.summary}" is already on your calendar, so I didn't count it.`,
        ];
      },
    },
  ],
});
