import { defineRecipe } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { fieldOf, textOf } from "./json.ts";

const maxChildRuns = 3;
const maxTitleLength = 80;

/** "… each with its own Bron: one; two; three" */
const explicitList =
  /\b(?:each|every one|in parallel)\b[^:]*\b(?:brons?|agents?)\b[^:]*:\s*(?<value>\S[^]*)$/;
/** "Prepare my week: check my calendar, my unread email and … at the same time." */
const checks =
  /(?::\s*check|\bcheck) (?<value>\S[^:]*?),? (?:at the same time|in parallel|at once|simultaneously)[\s.!]*$/;

/** The question that a thing to check stands for. */
const questions: readonly (readonly [RegExp, string])[] = [
  [/\bcalendar\b/i, "What is on my calendar in the next 7 days?"],
  [/\bunread\b/i, "How many unread emails did I get this week?"],
  [/\bdeci(?:ded|sions?)\b.*(#[\w-]+)/i, "What was decided in $1 in the last 14 days?"],
];

interface Subtask {
  /** The owner's words. */
  readonly words: string;
  readonly title: string;
  readonly prompt: string;
}

function createSubtask(words: string, question?: string): Subtask {
  const capital = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return {
    words,
    title:
      capital.length <= maxTitleLength
        ? capital
        : `${capital.slice(0, maxTitleLength - 1).trimEnd()}…`,
    prompt: question ?? `${capital}${/[?!]$/.test(words) ? "" : "."}`,
  };
}

const subtasks: SlotReader<readonly Subtask[]> = (text) => {
  const list = text.take(explicitList);
  if (list !== undefined)
    return list
      .split(/;|\n+/)
      .map((item) =>
        item
          .trim()
          .replace(/^(?:\d+[.)]|[-*]|and)\s+/i, "")
          .replace(/[.;]$/, ""),
      )
      .filter((item) => item !== "")
      .map((item) => createSubtask(item));
  return (text.take(checks) ?? "")
    .split(/,\s*(?:and\s+)?|\s+and\s+/i)
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => {
      const [pattern, question] = questions.find(([known]) => known.test(item)) ?? [];
      return createSubtask(item, question?.replace("$1", pattern?.exec(item)?.[1] ?? ""));
    });
};

interface Outcome {
  readonly runId?: string;
  readonly summary?: string;
  readonly failure?: string;
}

interface ChildRunValues {
  subtasks?: readonly Subtask[];
  started?: readonly Outcome[];
  finished?: readonly Outcome[];
}

/** The outcomes in the order of the subtasks. Only started subtasks were awaited. */
function outcomes({ started = [], finished = [] }: ChildRunValues): readonly Outcome[] {
  const ends = [...finished];
  return started.map((start) => (start.runId === undefined ? start : (ends.shift() ?? {})));
}

export const childRunsRecipe = defineRecipe<ChildRunValues>({
  topic: "subtasks",
  task: "check several things at the same time",
  examples: [
    "Prepare my week: check my calendar, my unread email and the decisions in #leadership at the same time.",
    "Find out, each with its own Bron: what is on my calendar tomorrow?; how many unread mails I have.",
  ],
  phrases: [
    "each|every_one|in_parallel bron|brons|agent|agents",
    "check at_the_same_time|in_parallel|at_once|simultaneously",
  ],
  isEntireMessage: true,
  slots: { subtasks },
  needs: ["subtasks"],
  steps: [
    {
      if: ({ tools }) => !tools.includes("spawn_bron"),
      say: "I can't start subtasks because the tool spawn_bron isn't available.",
      stop: true,
      outcome: "could_not",
    },
    {
      call: "spawn_bron",
      with: ({ subtasks: all = [] }) =>
        all.slice(0, maxChildRuns).map(({ title, prompt }) => ({ title, prompt })),
      doing: "start the subtask",
      as: "started",
      read: (run): Outcome =>
        textOf(run, "runId") === ""
          ? { failure: "It couldn't be started." }
          : { runId: textOf(run, "runId") },
      rescue: ({ message }): Outcome => ({ failure: message || "It couldn't be started." }),
    },
    {
      call: "await_bron",
      with: ({ started = [] }) =>
        started.flatMap(({ runId }) => (runId === undefined ? [] : [{ runId }])),
      doing: "wait for the subtask",
      as: "finished",
      read: (run): Outcome =>
        textOf(run, "summary") === ""
          ? { failure: textOf(fieldOf(run, "error"), "message") || "It returned nothing." }
          : { summary: textOf(run, "summary") },
      rescue: ({ message }): Outcome => ({ failure: message }),
    },
    {
      say: (values) =>
        outcomes(values).map(({ summary }, index) => {
          const words = values.subtasks?.[index]?.words;
          return `${index === 0 ? "" : "\n"}**${words}**\n\n${summary ?? "No result."}`;
        }),
    },
    {
      if: (values) => outcomes(values).some(({ summary }) => summary === undefined),
      say: (values) => [
        "\nThese subtasks failed, so I continued without them:",
        ...outcomes(values).flatMap(({ summary, failure }, index) =>
          summary === undefined ? [`- ${values.subtasks?.[index]?.words}: ${failure}`] : [],
        ),
      ],
      outcome: (values) =>
        outcomes(values).every(({ summary }) => summary === undefined)
          ? "could_not"
          : "partly_done",
    },
    {
      if: ({ subtasks: all = [] }) => all.length > maxChildRuns,
      say: ({ subtasks: all = [] }) => {
        const left = all.slice(maxChildRuns).map(({ words }) => words);
        return `\nI can run at most ${maxChildRuns} subtasks at once, so I left out: ${left.join("; ")}. Ask me for ${left.length === 1 ? "it" : "them"} separately.`;
      },
    },
  ],
});
