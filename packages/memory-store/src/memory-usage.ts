import { BronError, type Usage } from "@bron/core";
import type { ApprovalState, RunOutcome, UsageView } from "@bron/protocol";
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
      const isInPeriod = (at: string) => byDay.has(dayOf(new Date(at)));
      const worked = runs
        .filter(
          ({ view, kind }) =>
            view.parentRunId === null && kind === undefined && isInPeriod(view.createdAt),
        )
        .flatMap(workedSeconds);
      const decided = runs
        .flatMap(({ approvals }) => [...approvals.values()])
        .flatMap(({ state, createdAt, decidedAt }) =>
          decidedStates.has(state) && decidedAt !== null && isInPeriod(decidedAt)
            ? [(Date.parse(decidedAt) - Date.parse(createdAt)) / 1_000]
            : [],
        );
      return {
        days: [...byDay.values()],
        medianSeconds: medianOf(worked),
        workedSeconds: worked.reduce((sum, seconds) => sum + seconds, 0),
        medianApprovalSeconds: medianOf(decided),
      };
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
  { view, kind, inputTokens, cachedInputTokens, outputTokens, actions, approvals }: MemoryRun,
  add: (at: string | null, name: Count, amount?: number) => void,
): void {
  const { createdAt, status, outcome, parentRunId } = view;
  if (parentRunId === null && kind === undefined) {
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

/** The states of an approval that the owner has decided. */
const decidedStates: ReadonlySet<ApprovalState> = new Set([
  "approved",
  "used",
  "denied",
  "superseded",
]);

/** How long a finished run worked, without the time in which it waited for its owner. */
function workedSeconds({ view, approvals, questions }: MemoryRun): number[] {
  if (view.startedAt === null || view.finishedAt === null) return [];
  const [start, end] = [Date.parse(view.startedAt), Date.parse(view.finishedAt)];
  const waits = [
    ...[...approvals.values()].map(({ state, createdAt, decidedAt, undoUntil }) => ({
      since: createdAt,
      until: state === "approved" || state === "used" ? latest(decidedAt, undoUntil) : decidedAt,
    })),
    ...[...questions.values()].map((question) => ({
      since: question.createdAt,
      until: question.answeredAt,
    })),
  ]
    .map(({ since, until }) => ({
      since: Date.parse(since),
      until: Math.min(end, until === null ? end : Date.parse(until)),
    }))
    .toSorted((a, b) => a.since - b.since);
  let [waited, counted] = [0, start];
  for (const { since, until } of waits) {
    waited += Math.max(0, until - Math.max(since, counted));
    counted = Math.max(counted, until);
  }
  return [Math.max(0, end - start - waited) / 1_000];
}

function latest(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) > Date.parse(b) ? a : b;
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
