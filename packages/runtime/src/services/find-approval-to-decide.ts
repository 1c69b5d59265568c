import { BronError } from "@bron/core";
import type { ApprovalView } from "@bron/protocol";

/**
 * Finds the approval that a decision about a run refers to. `runApprovals` are all approvals of the
 * run. `digest` is the digest of the content that the person saw, if given.
 */
export function findApprovalToDecide(
  runApprovals: readonly ApprovalView[],
  digest: string | undefined,
): ApprovalView {
  const pending = runApprovals.filter(({ state }) => state === "pending");
  if (digest !== undefined) {
    const seen =
      pending.find((approval) => approval.digest === digest) ??
      runApprovals.findLast((approval) => approval.digest === digest);
    if (seen) return seen;
    throw new BronError("digest_mismatch", "This run has no approval with that digest.", {
      details: { pending: pending.map((approval) => approval.digest) },
    });
  }
  const [only, ...more] = pending;
  if (!only) throw new BronError("conflict", "This run has no pending approval.");
  if (more.length > 0)
    throw new BronError(
      "conflict",
      `This run has ${pending.length} pending approvals. Pass the digest of the one you mean.`,
      { details: { pending: pending.map((approval) => approval.digest) } },
    );
  // Without a digest, the person may have seen the version before the edit.
  if (
    runApprovals.some(({ actionId, state }) => actionId === only.actionId && state === "superseded")
  ) {
    throw new BronError(
      "conflict",
      "This was edited after it was first shown. Pass the digest of the version you mean.",
      { details: { pending: [only.digest] } },
    );
  }
  return only;
}
