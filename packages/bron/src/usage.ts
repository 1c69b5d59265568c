import { BronError, type Usage } from "@bron/core";
import type { UsageView } from "@bron/protocol";

export interface UsagePeriod {
  /** So many days up to today, 366 at most. */
  readonly days: number;
  /** Whose days: a name such as Europe/Berlin. */
  readonly zone: string;
}

const mostDays = 366;

/** Every day of the period, the oldest first, and their sums. Throws invalid_input for a zone that nobody knows. */
export async function usageOf(
  usage: Usage,
  ownerId: string,
  { days: count, zone }: UsagePeriod,
): Promise<UsageView> {
  if (!Number.isInteger(count) || count < 1 || count > mostDays)
    throw new BronError("invalid_input", `days must be a whole number from 1 to ${mostDays}.`);
  const { days, medianSeconds } = await usage.byDay(ownerId, { days: count, zone });
  const sum = (of: Exclude<keyof UsageView["days"][number], "day">) =>
    days.reduce((all, day) => all + day[of], 0);
  const [succeeded, inPart, failed, canceled] = [
    sum("succeeded"),
    sum("inPart"),
    sum("failed"),
    sum("canceled"),
  ];
  const over = succeeded + inPart + failed + canceled;
  return {
    days,
    total: {
      runs: sum("runs"),
      succeeded,
      inPart,
      failed,
      canceled,
      inputTokens: sum("inputTokens"),
      outputTokens: sum("outputTokens"),
      costMicrousd: sum("costMicrousd"),
      approved: sum("approved"),
      denied: sum("denied"),
      toolCalls: sum("toolCalls"),
      successRate: over === 0 ? null : succeeded / over,
      medianSeconds,
    },
  };
}
