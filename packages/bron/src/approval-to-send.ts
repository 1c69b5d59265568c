import { BronError } from "@bron/core";
import type { ApprovalView } from "@bron/protocol";

/** The approval that a decision about a run means. `runApprovals`: all of the run; `digest`: of what was seen, if that is said. */
export function approvalToSend(
  runApprovals: readonly ApprovalView[],
  digest: string | undefined,
): ApprovalView {
  const pending = runApprovals.filter(({ state }) => state === "pending");
  if (digest !== undefined) {
    const seen =
      pending.find((approval) => approval.digest === digest) ??
      runApprovals.findLast((approval) => approval.digest === digest);
    if (seen) return seen;
    throw new BronError("digest_mismatch", "This run asks for nothing with that digest.", {
      details: { pending: pending.map((approval) => approval.digest) },
    });
  }
  const [only, ...more] = pending;
  if (!only) throw new BronError("conflict", "This run does not wait for a decision.");
  if (more.length > 0)
    throw new BronError(
      "conflict",
      `This run waits for ${pending.length} decisions: say by its digest which one you mean.`,
      { details: { pending: pending.map((approval) => approval.digest) } },
    );
  // Whoever does not say what they saw may have seen the one before the edit.
  if (
    runApprovals.some(({ actionId, state }) => actionId === only.actionId && state === "superseded")
  ) {
    throw new BronError(
      "conflict",
      "It was edited since it was first shown: say by its digest what you decide on.",
      { details: { pending: [only.digest] } },
    );
  }
  return only;
}
