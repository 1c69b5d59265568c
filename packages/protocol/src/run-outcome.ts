/**
 * How a finished run went, beside its status. The model declares it, and code corrects it by what
 * the ledger says.
 *
 * - `done`: everything that was asked for.
 * - `partly_done`: some of it.
 * - `could_not`: none of it.
 * - `needs_answer`: the owner has to answer something first.
 * - `denied`: the owner denied the changes that were left to make.
 */
export const runOutcomes = ["done", "partly_done", "could_not", "needs_answer", "denied"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** What a model can say. Whether the owner denied something is in the ledger. */
export const declaredOutcomes = ["done", "partly_done", "could_not", "needs_answer"] as const;
export type DeclaredOutcome = (typeof declaredOutcomes)[number];

/** The tool with which a model declares the outcome. */
export const reportOutcomeName = "report_outcome";

/** The calls of a step, without the report of the outcome. */
export function withoutReport<C extends { readonly tool: string }>(calls: readonly C[]): C[] {
  return calls.filter(({ tool }) => tool !== reportOutcomeName);
}

/**
 * The outcome of a completed run whose log was written before outcomes existed, by the number of
 * changes that it did not make.
 */
export function outcomeByCount(notDone: number): RunOutcome {
  return notDone > 0 ? "partly_done" : "done";
}
