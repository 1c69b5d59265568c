import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { textOf } from "./json.ts";

const days: Readonly<Record<string, string>> = {
  weekday: "1-5",
  "working day": "1-5",
  workday: "1-5",
  day: "*",
  morning: "*",
  evening: "*",
  sunday: "0",
  monday: "1",
  tuesday: "2",
  wednesday: "3",
  thursday: "4",
  friday: "5",
  saturday: "6",
};
const dayNames = Object.keys(days).join("|");
const time = String.raw`at (?<hour>\d{1,2})(?:[:.](?<minute>\d{2}))? ?(?<half>am|pm|o'clock)?`;
const first = new RegExp(
  String.raw`^(?:every|each) (?<day>${dayNames}) ${time},? (?<task>\S[^]*)$`,
  "iu",
);
const last = new RegExp(
  String.raw`^(?<task>\S[^]*?),? (?:every|each) (?<day>${dayNames}) ${time}\.?$`,
  "iu",
);

interface Wanted {
  readonly expression: string;
  readonly task: string;
}

const wanted: SlotReader<Wanted> = (text) => {
  const words = text
    .rest()
    .replace(/^(?:please|hi|hello|bron)[,:]? /iu, "")
    .trim();
  const groups = (first.exec(words) ?? last.exec(words))?.groups;
  const hour = hourOf(groups);
  const weekday = days[groups?.["day"]?.toLowerCase() ?? ""];
  if (!groups || hour === undefined || weekday === undefined) return undefined;
  text.take(/^[^]*$/u);
  const minute = Number(groups["minute"] ?? "0");
  return { expression: `${minute} ${hour} * * ${weekday}`, task: taskOf(groups["task"] ?? "") };
};

function hourOf(groups: Readonly<Record<string, string | undefined>> | undefined) {
  const [hour, minute] = [Number(groups?.["hour"]), Number(groups?.["minute"] ?? "0")];
  const half = groups?.["half"]?.toLowerCase();
  const inDay = half === "pm" && hour < 12 ? hour + 12 : half === "am" && hour === 12 ? 0 : hour;
  return inDay <= 23 && minute <= 59 ? inDay : undefined;
}

/** What the demo model does each time: "send me a summary of X" becomes "Summarize X". */
function taskOf(words: string): string {
  const task = words
    .replace(
      /^(?:please )?(?:send|give|write|show) me (?:a|the) (?:short )?summary of /iu,
      "summarize ",
    )
    .replace(/[.!]+$/u, "")
    .trim();
  return `${task.charAt(0).toUpperCase()}${task.slice(1)}`;
}

interface ScheduleValues {
  wanted?: Wanted;
  created?: { readonly when: string; readonly next: string };
}

/** Proposes a schedule for a task at fixed times. The owner is asked. */
export const scheduleRecipe = defineRecipe<ScheduleValues>({
  topic: "schedules",
  task: "start a task at fixed times",
  examples: [
    "Every weekday at 8, send me a summary of my unread email",
    "every monday at 9:30 list my calendar events for this week",
    "Send me a summary of my unread email every day at 6 pm",
  ],
  phrases: ["every|each at"],
  // A repeated event of the calendar.
  unless: ["^schedule|add|create|book|invite|set_up|plan|put|make|arrange"],
  isEntireMessage: true,
  slots: { wanted },
  needs: ["wanted"],
  steps: [
    {
      if: ({ tools }) => !tools.includes("schedule_create"),
      say: "I can't create schedules because this Bron doesn't have the tool for it.",
      stop: true,
      outcome: "could_not",
    },
    {
      call: "schedule_create",
      with: ({ wanted: one }) => ({
        title: one?.task,
        prompt: one?.task,
        kind: "cron",
        expression: one?.expression,
      }),
      doing: "create the schedule",
      isEffect: true,
      unchanged: "No schedule was created.",
      as: "created",
      read: (result) => ({ when: textOf(result, "when"), next: textOf(result, "next") }),
    },
    {
      say: ({ created, wanted: one }) =>
        `I created the schedule. **${created?.when}** I start this task: ${one?.task}. The first time is ${created?.next}. You can pause or remove it under Schedules.`,
    },
  ],
});
