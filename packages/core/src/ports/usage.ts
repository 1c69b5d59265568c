import type { UsageView } from "@bron/protocol";

export type UsageTimes = Pick<
  UsageView["total"],
  "medianSeconds" | "workedSeconds" | "medianApprovalSeconds"
>;

/** Usage totals of an owner's runs. */
export interface Usage {
  /**
   * Returns `days` consecutive days in the zone up to today, oldest first, and how long finished
   * runs worked and approvals waited. Throws invalid_input for an unknown zone.
   */
  byDay(
    ownerId: string,
    period: { readonly days: number; readonly zone: string },
  ): Promise<{ days: UsageView["days"] } & UsageTimes>;
}
