import type { Usage, UsageTimes } from "@bron/core";
import type { UsageView } from "@bron/protocol";
import type { ServicesOf } from "./service.ts";

/** Usage of the owner's runs: every day of the period, oldest first, and the totals. */
export function usageServices({ usage }: { readonly usage: Usage }): ServicesOf<"GET /api/usage"> {
  return {
    async "GET /api/usage"({ caller: { ownerId }, query }) {
      const { days, ...times } = await usage.byDay(ownerId, query);
      return { days, total: { ...totalOf(days), ...times } };
    },
  };
}

function totalOf(days: UsageView["days"]): Omit<UsageView["total"], keyof UsageTimes> {
  const sum = (field: Exclude<keyof UsageView["days"][number], "day">) =>
    days.reduce((all, day) => all + day[field], 0);
  const outcomes = {
    succeeded: sum("succeeded"),
    inPart: sum("inPart"),
    couldNot: sum("couldNot"),
    needsAnswer: sum("needsAnswer"),
    deniedRuns: sum("deniedRuns"),
    failed: sum("failed"),
    canceled: sum("canceled"),
  };
  const finished = Object.values(outcomes).reduce((all, count) => all + count, 0);
  return {
    runs: sum("runs"),
    ...outcomes,
    inputTokens: sum("inputTokens"),
    cachedInputTokens: sum("cachedInputTokens"),
    outputTokens: sum("outputTokens"),
    costMicrousd: sum("costMicrousd"),
    approved: sum("approved"),
    denied: sum("denied"),
    toolCalls: sum("toolCalls"),
    successRate: finished === 0 ? null : outcomes.succeeded / finished,
  };
}
