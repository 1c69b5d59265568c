import { defineRecipe } from "../recipe/recipe.ts";
import { flag } from "../recipe/slot.ts";
import { dayOf, days, sayDay } from "./days.ts";
import { counted } from "./json.ts";
import { readValue } from "./calculate.ts";
import { eventLines, sayWhen, type CalendarEvent } from "./calendar-events.ts";
import { onDays, readCalendar, sayDays, type AgendaValues } from "./calendar-steps.ts";
import { emailLater, emailSlots, sendEmail, type EmailValues } from "./send-email.ts";

type Pair = readonly [CalendarEvent, CalendarEvent];

/** The pairs of timed events that overlap, in the order of their starts. */
function overlaps(events: readonly CalendarEvent[]): readonly Pair[] {
  const timed = events
    .filter(({ allDay, end }) => !allDay && !Number.isNaN(Date.parse(end)))
    .toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start));
  return timed.flatMap((first, index) =>
    timed
      .slice(index + 1)
      .filter(({ start }) => Date.parse(start) < Date.parse(first.end))
      .map((second): Pair => [first, second]),
  );
}

function pairLines(pairs: readonly Pair[]): readonly string[] {
  return pairs.map(([first, second]) => {
    const [a = "", b = ""] = eventLines([first, second]).map((line) => line.replace(/^- /, ""));
    return `- ${sayDay(dayOf(first.start))}: ${a} and ${b}`;
  });
}

interface ConflictValues extends AgendaValues, EmailValues {
  pairs?: readonly Pair[];
}

export const conflictsRecipe = defineRecipe<ConflictValues>({
  topic: "calendar",
  task: "find events that overlap",
  examples: [
    "Any conflicts on Thursday?",
    "Am I double booked tomorrow?",
    "Do I have overlapping meetings this week?",
    "Check my calendar for conflicts next week",
    "Which of my meetings clash?",
  ],
  phrases: [
    "conflict|conflicts|conflicting|clash|clashes|clashing|overlap|overlaps|overlapping",
    "double_booked|double-booked|doublebooked|double_booking|double_bookings",
  ],
  unless: [
    "am_i|i'm|i_am free",
    "invitation|invite|invited",
    "mails|emails|slack|note",
    "^move|resolve|fix|reply|post",
  ],
  slots: { ...emailSlots, days },
  fillers: "double booked booking",
  later: { days, ...emailLater },
  steps: [
    ...readCalendar,
    { set: ({ agenda }) => ({ pairs: overlaps(agenda?.events ?? []) }) },
    {
      say: ({ pairs = [], days: wanted }) => {
        if (wanted === undefined) return undefined;
        return pairs.length === 0
          ? `No conflicts ${onDays(wanted)}.`
          : [`${counted(pairs.length, "conflict")} ${onDays(wanted)}:`, ...pairLines(pairs)];
      },
    },
    { if: ({ agenda }) => agenda?.hasMore, say: "There are more events that I didn't check." },
    ...sendEmail<ConflictValues>(({ days: wanted, said }) => ({
      subject: `Conflicts, ${wanted === undefined ? "" : sayDays(wanted)}`,
      body: said.join("\n"),
      isSummary: true,
    })),
  ],
  result: ({ said }) => said.join("\n"),
});

interface NextValues extends AgendaValues {
  /** "Thursday, 2026-11-19 18:02 (UTC, UTC)" */
  now?: string;
  asksWho?: boolean;
  isAnyone?: boolean;
}

/** The first event that starts after now, by the clock of the calendar's time zone. */
export const nextEventRecipe = defineRecipe<NextValues>({
  topic: "calendar",
  task: "",
  examples: [
    "When is my next meeting?",
    "What's my next meeting?",
    "What is next on my calendar?",
    "What's coming up next?",
    "when is my next meeting and with who",
  ],
  phrases: [
    "^when|when's|when_is|what|what's|which my|the next_meeting|next_event|next_appointment|next_call",
    "^what|what's is_next|what's_next|coming_up|up_next",
  ],
  unless: ["about|free|days|week|month|slack|mail|mails|email|emails"],
  slots: {
    // "With Jonas" means another meeting.
    isAnyone: (text) => !text.has(/\bwith (?!who)/),
    asksWho: flag(/\b(?:with )?(?:who|whom)(?: is (?:it|that) with| with)?\b/),
  },
  needs: ["isAnyone"],
  steps: [
    ...readCalendar,
    {
      call: "clock",
      with: ({ agenda }) => ({ timezone: agenda?.timeZone || undefined }),
      doing: "check the time",
      as: "now",
      read: readValue,
      rescue: () => "",
    },
    {
      say: ({ agenda, asksWho, now = "", today }) => {
        const [, time = `${today}T00:00`] =
          /(\d{4}-\d{2}-\d{2} \d{2}:\d{2})/.exec(now)?.map((part) => part.replace(" ", "T")) ?? [];
        const next = (agenda?.events ?? [])
          .filter(({ start, allDay }) => !allDay && start.slice(0, 16) >= time)
          .toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))[0];
        return next === undefined
          ? "Nothing else is on your calendar in the next 7 days."
          : [
              `Next is "${next.summary}" on ${sayWhen(next)}.`,
              asksWho !== true
                ? ""
                : next.guests.length === 0
                  ? "It has no guests."
                  : `With ${next.guests.join(", ")}.`,
            ];
      },
    },
  ],
  result: ({ said }) => said.join("\n"),
});
