import { omitUndefined, type EffectView, type RunResult, type Settlement } from "@bron/protocol";
import { BronError, requestError } from "../errors.ts";
import type { NewAudit } from "../ports/audit.ts";

/** The audit entry for an owner's word on an effect. The store adds what the effect's row says. */
export function settledEntry(
  as: Settlement,
  note: string | undefined,
): Pick<NewAudit, "what" | "by" | "details"> {
  return { what: "effect.settled", by: "owner", details: { as, ...omitUndefined({ note }) } };
}

/** Why an effect cannot be settled: it is missing, its outcome is known, or it was settled. */
export function settleError(
  effectId: string,
  effect: Pick<EffectView, "state" | "settled"> | undefined,
): BronError {
  if (!effect) return new BronError("not_found", `Effect ${effectId} not found.`);
  return requestError(
    "conflict",
    effect.settled === null
      ? { code: "outcome_known", state: effect.state }
      : { code: "already_settled" },
  );
}

/** The result of a run of which the owner found out that one more change was made. */
export function resultWithOneMore(result: RunResult): RunResult {
  const { notDone, outcome } = result;
  return {
    ...result,
    notDone: Math.max(0, notDone - 1),
    outcome: notDone === 1 && outcome === "partly_done" ? "done" : outcome,
  };
}
