import type { BudgetView } from "@bron/protocol";

/** The caps of an owner by day and month in a time zone. Null: no cap. */
export type OwnerBudget = Pick<BudgetView, "zone" | "dayCapMicrousd" | "monthCapMicrousd">;

export interface Budgets {
  /** Sets or removes an owner's money cap, which counts everything ever spent under it. */
  setOwnerCap(ownerId: string, capMicrousd: number | null): Promise<void>;
  ownerSpending(ownerId: string): Promise<{ capMicrousd: number | null; drawnMicrousd: number }>;
  /**
   * Sets the caps by day and month, and writes the audit log. What runs have cost in this month
   * counts too. Calls that have started go on. Throws invalid_input for an unknown zone.
   */
  setBudget(ownerId: string, budget: OwnerBudget): Promise<void>;
  /** The caps, and what calls of today and of this month have cost or still reserve. */
  budget(ownerId: string): Promise<BudgetView>;
}
