import type { ApprovalView } from "./run.ts";
import type { EffectGroup } from "./trust.ts";

/** Effects of these kinds form one group even if their tools differ. Others need the same tool. */
const kindsAcrossTools: ReadonlySet<EffectGroup | null> = new Set([
  "mail",
  "event",
  "channel",
  "fetch",
]);

interface AskedEffect {
  readonly runId: string;
  /** The step that proposed the effect. Undefined if it is unknown. */
  readonly step: number | undefined;
  readonly kind: EffectGroup | null;
  readonly tool: string;
}

/**
 * Names the group of an approval: the effects of one kind from one step. An edited effect stays in
 * the group.
 */
export function groupNameOf({ runId, step, kind, tool }: AskedEffect): string | null {
  if (step === undefined) return null;
  return `${runId}:${step}:${kindsAcrossTools.has(kind) ? kind : `tool:${tool}`}`;
}

/** Whether it waits for the owner now. One that is snoozed does not. */
export function isAsking(
  { state, snoozedUntil }: Pick<ApprovalView, "state" | "snoozedUntil">,
  now: number,
): boolean {
  return state === "pending" && (snoozedUntil === null || Date.parse(snoozedUntil) <= now);
}

type Grouped = Pick<ApprovalView, "id" | "actionId" | "group" | "createdAt" | "decidedAt">;

/**
 * Puts approvals together that one decision can cover: those of a group that were pending at the
 * same time, with their edited versions. Takes them in the order in which they were asked, and
 * returns the groups in the order of their first approvals.
 */
export function groupApprovals<Approval extends Grouped>(
  approvals: readonly Approval[],
): Approval[][] {
  const groups: Approval[][] = [];
  const latest = new Map<string, Approval[]>();
  for (const approval of approvals) {
    const name = approval.group ?? approval.id;
    const group = latest.get(name);
    if (group?.some((other) => isTogether(other, approval))) group.push(approval);
    else {
      const started = [approval];
      latest.set(name, started);
      groups.push(started);
    }
  }
  return groups;
}

function isTogether(earlier: Grouped, { actionId, createdAt }: Grouped): boolean {
  const wasPending = earlier.decidedAt === null || earlier.decidedAt >= createdAt;
  return wasPending || earlier.actionId === actionId;
}

/** The newest approval of each effect. The others were replaced by edits. */
export function currentApprovals<Approval extends Pick<ApprovalView, "actionId">>(
  group: readonly Approval[],
): Approval[] {
  return [...new Map(group.map((approval) => [approval.actionId, approval])).values()];
}
