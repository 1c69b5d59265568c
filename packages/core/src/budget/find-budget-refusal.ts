import type { Caps } from "@bron/protocol";
import type { BudgetRefusal, Draw } from "../ports/runs/run-log.ts";

/** What a run and the runs below it have used of its caps. */
export interface CapUse {
  readonly caps: Pick<Caps, "costMicrousd" | "steps">;
  /** Money that the run itself has spent or reserved. */
  readonly chargedMicrousd: number;
  readonly steps: number;
  readonly treeDrawnMicrousd: number;
  readonly treeSteps: number;
}

interface SharedCaps {
  readonly draw: Draw;
  /** The run that starts the call. The charge includes the call. */
  readonly own: CapUse;
  /** The capped runs above it. */
  readonly above: readonly CapUse[];
  readonly ownerLeftMicrousd: number;
}

type SharedCapsVerdict =
  | { readonly ok: true; readonly leftMicrousd: number }
  | { readonly ok: false; readonly why: BudgetRefusal };

/**
 * Whether the caps that a run shares with others allow a model call, and how much money is left to
 * draw. A store calls it with values that cannot change before the append, so that the sum of all
 * reservations never exceeds a cap.
 */
export function findBudgetRefusal({
  draw,
  own,
  above,
  ownerLeftMicrousd,
}: SharedCaps): SharedCapsVerdict {
  const wanted = draw.steps === undefined ? 0 : 1;
  for (const { caps, steps, treeSteps } of [
    { ...own, steps: (draw.steps ?? 0) - wanted },
    ...above,
  ])
    if (wanted > 0 && caps.steps !== undefined && steps + treeSteps + wanted > caps.steps)
      return { ok: false, why: { code: "step_limit", steps: caps.steps } };
  if (own.caps.costMicrousd !== undefined && leftOf(own) < 0)
    return { ok: false, why: { code: "task_budget", limitMicrousd: own.caps.costMicrousd } };
  for (const use of above)
    if (use.caps.costMicrousd !== undefined && leftOf(use) < draw.needMicrousd)
      return { ok: false, why: { code: "task_budget", limitMicrousd: use.caps.costMicrousd } };
  if (ownerLeftMicrousd < draw.needMicrousd) return { ok: false, why: { code: "owner_budget" } };
  return { ok: true, leftMicrousd: Math.min(ownerLeftMicrousd, ...above.map(leftOf)) };
}

function leftOf({ caps, chargedMicrousd, treeDrawnMicrousd }: CapUse): number {
  return (caps.costMicrousd ?? Number.POSITIVE_INFINITY) - chargedMicrousd - treeDrawnMicrousd;
}
