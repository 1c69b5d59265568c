import { BronError, type Usage } from "@bron/core";
import type { UsageView } from "@bron/protocol";

export interface UsagePeriod {
  /** The number of days up to today. The maximum is 366. */
  readonly days: number;
  /** The time zone of the days, such as Europe/Berlin. */
  readonly zone: string;
}

const maxDays = 366;

/**
 * Returns every day of the period, oldest first, and the totals. Throws invalid_input for an
 * unknown time zone.
 */
export async function summarizeUsage(
  usage: Usage,
  ownerId: string,
  { days: count, zone }: UsagePeriod,
): Promise<UsageView> {
  if (!Number.isInteger(count) || count < 1 || count > maxDays)
    throw new BronError("invalid_input", `days must be an integer from 1 to ${maxDays}.`);
  const { days, medianSeconds } = await usage.byDay(ownerId, { days: count, zone });
  const sum = (field: Exclude<keyof UsageView["days"][number], "day">) =>
    days.reduce((all, day) => all + day[field], 0);
  const [succeeded, inPart, failed, canceled] = [
    sum("succeeded"),
    sum("inPart"),
    sum("failed"),
    sum("canceled"),
  ];
  const finished = succeeded + inPart + failed + canceled;
  return {
    days,
    total: {
      runs: sum("runs"),
      succeeded,
      inPart,
      failed,
      canceled,
      inputTokens: sum("inputTokens"),
      cachedInputTokens: sum("cachedInputTokens"),
      outputTokens: sum("outputTokens"),
      costMicrousd: sum("costMicrousd"),
      approved: sum("approved"),
      denied: sum("denied"),
      toolCalls: sum("toolCalls"),
      successRate: finished === 0 ? null : succeeded / finished,
      medianSeconds,
    },
  };
}
