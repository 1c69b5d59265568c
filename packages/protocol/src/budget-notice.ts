import type { BudgetView } from "./api/budget-api.ts";

/** The share of a cap from which the owner is warned. */
const budgetWarningShare = 0.8;

/** A cap that is nearly or completely spent. */
export interface BudgetNotice {
  readonly period: "day" | "month";
  readonly spentMicrousd: number;
  readonly capMicrousd: number;
  readonly isSpent: boolean;
}

/** What the owner is warned about: the month first, because it ends later. */
export function budgetNotice({
  dayCapMicrousd,
  monthCapMicrousd,
  dayMicrousd,
  monthMicrousd,
}: BudgetView): BudgetNotice | undefined {
  const caps = [
    { period: "month", spentMicrousd: monthMicrousd, capMicrousd: monthCapMicrousd },
    { period: "day", spentMicrousd: dayMicrousd, capMicrousd: dayCapMicrousd },
  ] as const;
  const near = caps.flatMap(({ period, spentMicrousd, capMicrousd }): BudgetNotice[] =>
    capMicrousd !== null && spentMicrousd >= capMicrousd * budgetWarningShare
      ? [{ period, spentMicrousd, capMicrousd, isSpent: spentMicrousd >= capMicrousd }]
      : [],
  );
  return near.find(({ isSpent }) => isSpent) ?? near[0];
}
