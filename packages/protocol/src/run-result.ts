import { z } from "zod";
import { runOutcomes } from "./run-outcome.ts";

/**
 * What the last status of a run says about the whole run. The stores keep each of these fields in
 * the run's row, and the run's view has them. For a new field, `store/src/tables/run-columns.ts`
 * needs its column.
 */
export const runResultSchema = z.object({
  /**
   * The number of requested changes that a completed run did not make, because they were denied,
   * undone, failed, or have an unknown outcome.
   */
  notDone: z.number().int(),
  /** How a finished run went. Null before that. */
  outcome: z.enum(runOutcomes).nullable(),
});
export type RunResult = Readonly<z.infer<typeof runResultSchema>>;

/** The result of a run that has not ended. */
export const emptyRunResult: RunResult = { notDone: 0, outcome: null };

const fields = Object.keys(emptyRunResult) as (keyof RunResult)[];

/** The fields of a result that an object has, without its other fields. */
export function resultIn(from: Partial<RunResult>): Partial<RunResult> {
  return Object.fromEntries(
    fields.filter((field) => from[field] !== undefined).map((field) => [field, from[field]]),
  );
}
