import type { BudgetRefusal } from "../ports/runs/run-log.ts";

/** What a run has drawn from its owner's budget on the last day on which it started a call. */
export interface DayUse {
  /** In the owner's zone: "2026-11-20". Null: it has drawn nothing yet. */
  readonly day: string | null;
  readonly drawnMicrousd: number;
  /** What the run had been charged for calls that ended before that day. */
  readonly baseMicrousd: number;
}

interface StartedCalls {
  readonly use: DayUse;
  readonly today: string;
  /** What the run was charged before the call, and what it is charged with it. */
  readonly beforeMicrousd: number;
  readonly afterMicrousd: number;
  /** What the run is charged for calls that have ended. */
  readonly settledMicrousd: number;
}

interface DayDraw {
  /** What an earlier day gets back. */
  readonly returned: { readonly day: string; readonly microusd: number } | undefined;
  /** What today's budget must have left. */
  readonly needMicrousd: number;
  /** The use of the run afterwards. */
  readonly use: DayUse;
}

/**
 * What a model call takes from the budget of today. A call counts on the day on which it starts. A
 * call that is still under way when the first one of a new day starts counts on both days, so that
 * what it returns can never be spent on a day that did not pay for it.
 */
export function drawForDay({
  use,
  today,
  beforeMicrousd,
  afterMicrousd,
  settledMicrousd,
}: StartedCalls): DayDraw {
  const isSame = use.day === today;
  const isNew = use.day === null;
  const current: DayUse = isSame
    ? use
    : { day: today, drawnMicrousd: 0, baseMicrousd: isNew ? 0 : settledMicrousd };
  const needMicrousd = Math.max(0, afterMicrousd - current.baseMicrousd - current.drawnMicrousd);
  return {
    returned:
      isSame || use.day === null
        ? undefined
        : { day: use.day, microusd: unspentOf(use, beforeMicrousd) },
    needMicrousd,
    use: { ...current, drawnMicrousd: current.drawnMicrousd + needMicrousd },
  };
}

/** What a run that ends, or that draws on another day now, has drawn and not used. */
export function unspentOf(
  { drawnMicrousd, baseMicrousd }: Pick<DayUse, "drawnMicrousd" | "baseMicrousd">,
  chargedMicrousd: number,
): number {
  return Math.max(0, drawnMicrousd - Math.max(0, chargedMicrousd - baseMicrousd));
}

/** An owner's caps, and what was drawn from them. Null: no cap. */
export interface OwnerBudgetUse {
  readonly dayCapMicrousd: number | null;
  readonly monthCapMicrousd: number | null;
  readonly dayMicrousd: number;
  readonly monthMicrousd: number;
}

/** The cap of the owner that does not allow to draw this much. */
export function findOwnerRefusal(
  { dayCapMicrousd, monthCapMicrousd, dayMicrousd, monthMicrousd }: OwnerBudgetUse,
  needMicrousd: number,
): BudgetRefusal | undefined {
  if (needMicrousd === 0) return undefined;
  if (monthCapMicrousd !== null && monthMicrousd + needMicrousd > monthCapMicrousd)
    return { code: "period_budget", period: "month", limitMicrousd: monthCapMicrousd };
  if (dayCapMicrousd !== null && dayMicrousd + needMicrousd > dayCapMicrousd)
    return { code: "period_budget", period: "day", limitMicrousd: dayCapMicrousd };
  return undefined;
}

/** Whether nothing is left, so that a schedule need not start. */
export function isBudgetSpent(use: OwnerBudgetUse): boolean {
  return findOwnerRefusal(use, 1) !== undefined;
}
