import { z } from "zod";
import {
  actionFailureReasonSchema,
  actionFailureWords,
  describeActionFailure,
  type ActionError,
  type ActionFailureWords,
} from "./action-failure.ts";
import {
  describeReasons,
  policyReasonSchema,
  policyWords,
  type PolicyWords,
} from "./policy-reason.ts";
import type { ActionOutcome } from "./states.ts";

/**
 * Why an action was not completed.
 *
 * - `denied`: the owner denied it. The message is the owner's reason.
 * - `undone`: the owner undid the approval in time.
 * - `replied`: the owner requested changes. The message is the reply.
 * - `expired`: the approval expired.
 * - `closed`: the approval was replaced or canceled.
 * - `blocked`: the policy denied it. `reasons` say why.
 * - `run_ended`: the run ended first.
 * - `interrupted`: it was interrupted while running, and may have happened.
 * - `unknown`: its outcome could not be found out. The message is the tool's, and says what to check.
 * - `failed`: `why` says why, or the message of the tool does.
 */
const notDoneCauses = [
  "denied",
  "undone",
  "replied",
  "expired",
  "closed",
  "blocked",
  "run_ended",
  "interrupted",
  "unknown",
  "failed",
] as const;
export type NotDoneCause = (typeof notDoneCauses)[number];

export const notDoneSchema = z.object({
  cause: z.enum(notDoneCauses),
  message: z.string().optional(),
  reasons: z.array(policyReasonSchema).readonly().optional(),
  why: actionFailureReasonSchema.optional(),
});
export type NotDone = z.infer<typeof notDoneSchema>;

/** The words for what was not done. To translate them, pass another table. */
interface NotDoneWords {
  /** The message comes from the owner, a tool or the policy. */
  readonly causes: Readonly<Record<NotDoneCause, (message: string) => string>>;
  readonly reasons: PolicyWords;
  readonly failures: ActionFailureWords;
}

export const notDoneWords: NotDoneWords = {
  causes: {
    denied: (message) => (message === "" ? "You declined." : `You declined: ${message}`),
    undone: () => "You undid the approval, so it was not done.",
    replied: (message) => `You replied: ${message}`,
    expired: () => "The approval expired. Nothing was done.",
    closed: () => "This was replaced or canceled. Nothing was done.",
    blocked: (message) => `Blocked: ${message}`,
    run_ended: () => "The task ended before this was done.",
    interrupted: () => "It was interrupted while running.",
    unknown: (message) => `Bron couldn't confirm whether it went through. ${message}`.trim(),
    failed: (message) => message,
  },
  reasons: policyWords,
  failures: actionFailureWords,
};

/** "You declined: too long" */
export function describeNotDone(
  { cause, reasons, ...failure }: NotDone,
  words: NotDoneWords = notDoneWords,
): string {
  return words.causes[cause](
    reasons
      ? describeReasons(reasons, words.reasons)
      : describeActionFailure(failure, words.failures),
  );
}

/**
 * Why the action of this result was not completed. Logs before version 6 have no causes, so their
 * errors are shown as text.
 */
export function notDoneOf({
  outcome,
  notDone,
  error,
}: {
  readonly outcome: ActionOutcome;
  readonly notDone?: NotDone | undefined;
  readonly error?: ActionError | undefined;
}): NotDone | undefined {
  if (outcome === "completed") return undefined;
  if (notDone) return notDone;
  if (!error) return { cause: "run_ended" };
  const { why, message } = error;
  return { cause: "failed", ...(why ? { why } : { message }) };
}
