import { z } from "zod";
import { describeFailure, failureSchema, failureWords, type FailureWords } from "./failure.ts";
import { runStates } from "./states.ts";

/**
 * What Bron did about a child run that did not complete. Code writes it, not the model.
 *
 * - `replaced`: another child run completed in its place.
 * - `replacement_failed`: another child run took its place and did not complete either.
 * - `continued`: the run continued, and the result of the child run is unknown.
 * - `ended_task`: the run could not do without it, and ended.
 * - `stopped`: the run ended without waiting for it, so it was stopped.
 */
const childHandlings = [
  "replaced",
  "replacement_failed",
  "continued",
  "ended_task",
  "stopped",
] as const;

export const unfinishedChildSchema = z.object({
  title: z.string(),
  status: z.enum(runStates),
  error: failureSchema.optional(),
  /** The number of requested effects that it did not make, although it completed. */
  notDone: z.number().int().positive().optional(),
  /** Absent in older logs. */
  handling: z.enum(childHandlings).optional(),
  /** The title of the child run that took its place. */
  replacement: z.string().optional(),
});
export type UnfinishedChild = Readonly<z.infer<typeof unfinishedChildSchema>>;

/** Sentences about child runs that did not complete. To translate them, pass another table. */
interface UnfinishedChildWords {
  readonly statuses: Readonly<Record<"failed" | "canceled" | "open", string>>;
  readonly notDone: (count: number) => string;
  readonly handlings: Readonly<
    Record<(typeof childHandlings)[number], (replacement: string) => string>
  >;
  readonly failures: FailureWords;
}

export const unfinishedChildWords: UnfinishedChildWords = {
  statuses: {
    failed: "Failed.",
    canceled: "Canceled.",
    open: "Not finished when the task ended.",
  },
  notDone: (count) => (count === 1 ? "1 change wasn't made." : `${count} changes weren't made.`),
  handlings: {
    replaced: (replacement) => `Bron did it another way: ${replacement}.`,
    replacement_failed: (replacement) =>
      `Bron tried another way, which failed too: ${replacement}.`,
    continued: () => "Bron continued without its result.",
    ended_task: () => "The task needed it, so Bron stopped.",
    stopped: () => "Bron didn't wait for it and stopped it.",
  },
  failures: failureWords,
};

/** What failed in a child run, and what Bron did about it. */
export function describeUnfinishedChild(
  { title, status, error, notDone, handling, replacement = "" }: UnfinishedChild,
  words: UnfinishedChildWords = unfinishedChildWords,
): string {
  const what =
    notDone !== undefined
      ? words.notDone(notDone)
      : error
        ? describeFailure(error, words.failures)
        : words.statuses[status === "failed" || status === "canceled" ? status : "open"];
  return [`${title}: ${what}`, ...(handling ? [words.handlings[handling](replacement)] : [])].join(
    " ",
  );
}
