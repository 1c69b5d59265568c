import { BronError, type Usage } from "@bron/core";
import type { RunOutcome, UsageView } from "@bron/protocol";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, type MemoryState } from "./memory-state.ts";

type Day = UsageView["days"][number];
type Count = Exclude<keyof Day, "day">;

/**
 * A run counts on the day it was created, with everything it did later. Child runs do not count as
 * tasks, but their cost counts. Tool calls and decisions count on their own days.
 */
export function memoryUsage(state: MemoryState): Usage {
  return {
    async byDay(ownerId, { days: length, zone }) {
      const dayOf = dayFormat(zone);
      const days = lastDays(dayOf(new Date(state.now())), length);
      const byDay = new Map(days.map((day) => [day, emptyDay(day)]));
      const add = (at: string | null, name: Count, amount = 1) => {
        const day = at === null ? undefined : byDay.get(dayOf(new Date(at)));
        if (day) day[name] += amount;
      };
      const runs = runsOf(state, ownerId);
      for (const run of runs) addRun(run, add);
      const seconds = runs
        .filter(
          ({ view }) => view.parentRunId === null && byDay.has(dayOf(new Date(view.createdAt))),
        )
        .flatMap(({ view }) =>
          view.startedAt === null || view.finishedAt === null
            ? []
            : [(Date.parse(view.finishedAt) - Date.parse(view.startedAt)) / 1_000],
        );
      return { days: [...byDay.values()], medianSeconds: medianOf(seconds) };
    },
  };
}

const countOf = {
  done: "succeeded",
  partly_done: "inPart",
  could_not: "couldNot",
  needs_answer: "needsAnswer",
  denied: "deniedRuns",
} as const satisfies Record<RunOutcome, Count>;

function addRun(
  { view, inputTokens, cachedInputTokens, outputTokens, actions, approvals }: MemoryRun,
  add: (at: string | null, name: Count, amount?: number) => void,
): void {
  const { createdAt, status, outcome, parentRunId } = view;
  if (parentRunId === null) {
    add(createdAt, "runs");
    if (status === "completed") add(createdAt, countOf[outcome ?? "done"]);
    if (status === "failed" || status === "canceled") add(createdAt, status);
  }
  add(createdAt, "inputTokens", inputTokens);
  add(createdAt, "cachedInputTokens", cachedInputTokens);
  add(createdAt, "outputTokens", outputTokens);
  add(createdAt, "costMicrousd", view.spentMicrousd);
  for (const action of actions.values()) add(action.createdAt, "toolCalls");
  for (const { state, decidedAt, undoUntil } of approvals.values()) {
    if (state === "approved" || state === "used") add(decidedAt, "approved");
    if (state === "denied" && undoUntil === null) add(decidedAt, "denied");
  }
}

function dayFormat(zone: string): (date: Date) => string {
  try {
    const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
    return (date) => format.format(date);
  } catch (error) {
    throw new BronError(
      "invalid_input",
      `Unknown time zone ${JSON.stringify(zone)}. Use a name such as Europe/Berlin.`,
      { cause: error },
    );
  }
}

function lastDays(today: string, count: number): string[] {
  const last = Date.parse(today);
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * 24 * 3_600_000).toISOString().slice(0, 10),
  );
}

const emptyDay = (day: string): { -readonly [Key in keyof Day]: Day[Key] } => ({
  day,
  runs: 0,
  succeeded: 0,
  inPart: 0,
  couldNot: 0,
  needsAnswer: 0,
  deniedRuns: 0,
  failed: 0,
  canceled: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costMicrousd: 0,
  approved: 0,
  denied: 0,
  toolCalls: 0,
});

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
