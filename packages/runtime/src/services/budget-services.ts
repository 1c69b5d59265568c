import type { Budgets } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import type { ServicesOf } from "./service.ts";

/** The owner's budget by day and month. */
export function budgetServices({
  budgets,
}: {
  readonly budgets: Pick<Budgets, "budget" | "setBudget">;
}): ServicesOf<"GET /api/budget" | "PATCH /api/budget"> {
  return {
    "GET /api/budget": ({ caller: { ownerId } }) => budgets.budget(ownerId),
    async "PATCH /api/budget"({ caller: { ownerId }, body }) {
      const { zone, dayCapMicrousd, monthCapMicrousd } = await budgets.budget(ownerId);
      const before = { zone, dayCapMicrousd, monthCapMicrousd };
      await budgets.setBudget(ownerId, { ...before, ...omitUndefined(body) });
      return await budgets.budget(ownerId);
    },
  };
}
