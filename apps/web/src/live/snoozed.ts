import { isAsking, type ApprovalView } from "@bron/protocol";

type Snoozed = Pick<ApprovalView, "state" | "snoozedUntil">;

/** A time that is over counts as none, so that readers need no clock. */
export function withoutPastSnooze<Approval extends Snoozed>(approval: Approval): Approval {
  return isAsking(approval, Date.now()) ? { ...approval, snoozedUntil: null } : approval;
}

/** Browsers wait no longer than this. */
const maxWaitMs = 3_600_000;

/** Milliseconds until one of them is shown again. False if none is snoozed. */
export function untilNextSnooze(approvals: readonly Snoozed[]): number | false {
  const ends = approvals.flatMap(({ snoozedUntil }) =>
    snoozedUntil === null ? [] : [Date.parse(snoozedUntil)],
  );
  if (ends.length === 0) return false;
  return Math.min(maxWaitMs, Math.max(1_000, Math.min(...ends) - Date.now() + 500));
}

/** Those that wait for the owner now. */
export function notSnoozed<Approval extends Snoozed>(
  approvals: readonly Approval[],
): readonly Approval[] {
  return approvals.filter(({ snoozedUntil }) => snoozedUntil === null);
}
