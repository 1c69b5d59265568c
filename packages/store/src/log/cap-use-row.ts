import type { CapUse } from "@bron/core";

/** The columns of a run that say what it and the runs below it have used of its caps. */
export interface CapUseRow {
  readonly caps: CapUse["caps"];
  readonly spent_microusd: number;
  readonly steps: number;
  readonly tree_drawn_microusd: number;
  readonly tree_steps: number;
}

export const capUseColumns = "caps, spent_microusd, steps, tree_drawn_microusd, tree_steps";

export function toCapUse(row: CapUseRow): CapUse {
  return {
    caps: row.caps,
    chargedMicrousd: row.spent_microusd,
    steps: row.steps,
    treeDrawnMicrousd: row.tree_drawn_microusd,
    treeSteps: row.tree_steps,
  };
}
