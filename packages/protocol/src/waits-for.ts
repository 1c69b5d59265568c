import { z } from "zod";
import { outcomeByCount, type RunOutcome } from "./run-outcome.ts";
import type { RunResult } from "./run-result.ts";
import { isTerminal, webStatusOf, type RunStatus, type WebRunStatus } from "./states.ts";

/**
 * What a parked run waits for, the most urgent first: the owner approves, answers or signs in, or
 * another program carries out an action.
 */
export const waitKinds = ["approval", "question", "sign_in", "program"] as const;

export const waitsForSchema = z.object({
  kind: z.enum(waitKinds),
  /** The program, such as `page`. Set for the kind `program`. */
  program: z.string().optional(),
});
export type WaitsFor = Readonly<z.infer<typeof waitsForSchema>>;

/** A status as people see it. It tells apart what the states of a run do not. */
export type ShownStatus = WebRunStatus | Exclude<RunOutcome, "done"> | "waits_for_program";

const shownWaits = {
  approval: "needs_approval",
  question: "needs_answer",
  sign_in: "needs_auth",
  program: "waits_for_program",
} as const satisfies Record<WaitsFor["kind"], ShownStatus>;

/**
 * A completed run is shown by its outcome. A run that has what it waited for is running, although
 * its log does not say so until a worker advances it.
 */
export function shownStatus({
  status,
  waitsFor,
  notDone,
  outcome,
}: {
  readonly status: RunStatus;
  readonly waitsFor: WaitsFor | null;
} & Pick<RunResult, "notDone" | "outcome">): ShownStatus {
  const how = status === "completed" ? (outcome ?? outcomeByCount(notDone)) : "done";
  if (how !== "done") return how;
  if (isTerminal(status)) return webStatusOf[status];
  if (waitsFor) return shownWaits[waitsFor.kind];
  return status === "queued" ? "queued" : "running";
}
