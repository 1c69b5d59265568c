import { budgetNotice } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { formatDollars } from "../money.ts";
import { budgetWords } from "../words/budget.ts";

/** Warns when 80 % of a budget is spent, and says when it is used up. */
export function BudgetNotice() {
  const { data: notice } = useQuery({ ...queries.budget(), select: budgetNotice });
  const { pathname } = useLocation();
  if (!notice) return null;
  const { period, isSpent, spentMicrousd, capMicrousd } = notice;
  return (
    <div
      role="status"
      className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-l-4 border-edge border-l-ask-edge bg-surface px-4 py-3"
    >
      <p>
        {isSpent
          ? budgetWords.spent(period)
          : budgetWords.near(period, formatDollars(spentMicrousd), formatDollars(capMicrousd))}
      </p>
      {pathname !== "/usage" && <Link to="/usage">{budgetWords.raise}</Link>}
    </div>
  );
}
