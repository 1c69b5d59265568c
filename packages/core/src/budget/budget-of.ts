import type { BudgetState } from "./reservation.ts";
import type { LoopFacts } from "../run/decide/loop-facts.ts";
import { chargedMicrousd, type RunState } from "../run/state/run-state.ts";

/** The caps that limit the next model call of a run, and what it has used of them. */
export function budgetOf(
  { run, drawnMicrousd, hasCappedAncestors }: LoopFacts,
  state: RunState,
): BudgetState {
  return {
    caps: run.caps,
    ownerCapMicrousd: run.ownerCapMicrousd,
    hasOwnerBudget: run.hasOwnerBudget,
    settledMicrousd: state.spentMicrousd,
    drawnMicrousd,
    spentMicrousd: chargedMicrousd(state),
    hasCappedAncestors,
    hasChildren: state.children.size > 0,
  };
}
