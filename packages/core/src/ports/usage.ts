import type { UsageView } from "@bron/protocol";

/** Usage totals of an owner's runs. */
export interface Usage {
  /**
   * Returns `days` consecutive days in the zone up to today, oldest first, and the median duration
   * of the finished runs. Throws invalid_input for an unknown zone.
   */
  byDay(
    ownerId: string,
    period: { readonly days: number; readonly zone: string },
  ): Promise<{ days: UsageView["days"]; medianSeconds: number | null }>;
}
