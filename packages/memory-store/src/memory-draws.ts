import { drawAmount, findBudgetRefusal, type AppendRequest, type BudgetRefusal } from "@bron/core";
import { drawFromBudget, returnUnspentOfDay } from "./memory-budgets.ts";
import type { MemoryRun } from "./memory-run.ts";
import { ensureOwner, type MemoryState } from "./memory-state.ts";

/** Takes what a model call needs from every cap, or nothing if one of them does not allow it. */
export function takeDraw(
  state: MemoryState,
  run: MemoryRun,
  request: AppendRequest,
): BudgetRefusal | undefined {
  const { draw, chargedMicrousd } = request;
  if (!draw) return undefined;
  const owner = ensureOwner(state, run.view.ownerId);
  const above = ancestorsOf(state, run);
  const found = findBudgetRefusal({
    draw,
    own: { ...useOf(run), chargedMicrousd: chargedMicrousd ?? run.view.spentMicrousd },
    above: above.map(useOf),
    ownerLeftMicrousd: owner.cap === null ? Number.POSITIVE_INFINITY : owner.cap - owner.drawn,
  });
  if (!found.ok) return found.why;
  const overBudget = drawFromBudget(state, run, request);
  if (overBudget) return overBudget;
  const amount = drawAmount(draw, found.leftMicrousd);
  run.drawnMicrousd += amount;
  owner.drawn += amount;
  for (const ancestor of above) {
    ancestor.treeDrawnMicrousd += amount;
    if (draw.steps !== undefined) ancestor.treeSteps++;
  }
  return undefined;
}

/** Returns what a run that ends has drawn and not spent. */
export function returnUnspent(state: MemoryState, run: MemoryRun, spentMicrousd: number): void {
  returnUnspentOfDay(state, run, spentMicrousd);
  const kept = run.drawnMicrousd > 0 ? spentMicrousd : 0;
  const unspent = run.drawnMicrousd - kept;
  run.drawnMicrousd = kept;
  const owner = ensureOwner(state, run.view.ownerId);
  owner.drawn = Math.max(0, owner.drawn - unspent);
  for (const ancestor of ancestorsOf(state, run))
    ancestor.treeDrawnMicrousd = Math.max(0, ancestor.treeDrawnMicrousd - unspent);
}

/** Without those that the store has removed since. */
function ancestorsOf({ runs }: MemoryState, { cappedAncestors }: MemoryRun): MemoryRun[] {
  return cappedAncestors.flatMap((id) => runs.get(id) ?? []);
}

const useOf = ({ view, steps, treeDrawnMicrousd, treeSteps }: MemoryRun) => ({
  caps: view.caps,
  chargedMicrousd: view.spentMicrousd,
  steps,
  treeDrawnMicrousd,
  treeSteps,
});
