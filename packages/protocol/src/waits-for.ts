import { z } from "zod";
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
export type ShownStatus = WebRunStatus | "partly_done" | "needs_answer" | "waits_for_program";

const shownWaits = {
  approval: "needs_approval",
  question: "needs_answer",
  sign_in: "needs_auth",
  program: "waits_for_program",
} as const satisfies Record<WaitsFor["kind"], ShownStatus>;

/**
 * A run that completed without some of its changes is partly done. A run that has what it waited
 * for is running, although its log does not say so until a worker advances it.
 */
export function shownStatus({
  status,
  waitsFor,
  notDone,
}: {
  readonly status: RunStatus;
  readonly waitsFor: WaitsFor | null;
  readonly notDone: number;
}): ShownStatus {
  if (status === "completed" && notDone > 0) return "partly_done";
  if (isTerminal(status)) return webStatusOf[status];
  if (waitsFor) return shownWaits[waitsFor.kind];
  return status === "queued" ? "queued" : "running";
}
