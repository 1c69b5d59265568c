import {
  dayIn,
  drawForDay,
  findOwnerRefusal,
  nextTimes,
  requireZone,
  unspentOf,
  type AppendRequest,
  type BudgetRefusal,
  type Budgets,
  type OwnerBudgetUse,
} from "@bron/core";
import type { MemoryRun } from "./memory-run.ts";
import { ensureOwner, runsOf, type MemoryOwner, type MemoryState } from "./memory-state.ts";

export function memoryBudgets(state: MemoryState): Budgets {
  return {
    async setOwnerCap(ownerId, capMicrousd) {
      ensureOwner(state, ownerId).cap = capMicrousd;
    },
    async ownerSpending(ownerId) {
      const { cap, drawn } = ensureOwner(state, ownerId);
      return { capMicrousd: cap, drawnMicrousd: drawn };
    },
    async setBudget(ownerId, { zone, dayCapMicrousd, monthCapMicrousd }) {
      requireZone(zone);
      const owner = ensureOwner(state, ownerId);
      const isFirst = !hasBudget(owner);
      Object.assign(owner, { zone, dayCap: dayCapMicrousd, monthCap: monthCapMicrousd });
      if (isFirst && hasBudget(owner)) countMonth(state, ownerId, owner);
      state.audit.add(ownerId, [
        {
          what: "budget.changed",
          by: "owner",
          details: { zone, dayCapMicrousd, monthCapMicrousd },
        },
      ]);
    },
    async budget(ownerId) {
      const owner = ensureOwner(state, ownerId);
      const { zone } = owner;
      const next = (expression: string) => {
        const [time = 0] = nextTimes({ kind: "cron", expression, zone }, 1, { after: state.now() });
        return new Date(time).toISOString();
      };
      return {
        zone,
        ...useOf(state, owner),
        dayEndsAt: next("0 0 * * *"),
        monthEndsAt: next("0 0 1 * *"),
      };
    },
  };
}

export const hasBudget = ({ dayCap, monthCap }: MemoryOwner) =>
  dayCap !== null || monthCap !== null;

/** What was drawn today and in this month. */
export function useOf(
  { now }: MemoryState,
  { zone, dayCap, monthCap, days }: MemoryOwner,
): OwnerBudgetUse {
  const today = dayIn(zone, now());
  const ofMonth = [...days].filter(([day]) => day.slice(0, 7) === today.slice(0, 7));
  return {
    dayCapMicrousd: dayCap,
    monthCapMicrousd: monthCap,
    dayMicrousd: days.get(today) ?? 0,
    monthMicrousd: ofMonth.reduce((sum, [, microusd]) => sum + microusd, 0),
  };
}

/** Counts what this month's runs have cost until now, because without caps nothing is drawn. */
function countMonth(state: MemoryState, ownerId: string, owner: MemoryOwner): void {
  const today = dayIn(owner.zone, state.now());
  owner.days.clear();
  for (const run of runsOf(state, ownerId)) {
    const { finishedAt, createdAt, spentMicrousd } = run.view;
    const day = finishedAt === null ? today : dayIn(owner.zone, Date.parse(createdAt));
    if (finishedAt === null) run.dayUse = { day, drawnMicrousd: spentMicrousd, baseMicrousd: 0 };
    if (day.slice(0, 7) === today.slice(0, 7)) addToDay(owner, day, spentMicrousd);
  }
}

/** Takes what a model call needs from the owner's budget of today. */
export function drawFromBudget(
  state: MemoryState,
  run: MemoryRun,
  { draw, chargedMicrousd }: AppendRequest,
): BudgetRefusal | undefined {
  const owner = ensureOwner(state, run.view.ownerId);
  if (draw?.settledMicrousd === undefined || chargedMicrousd === undefined) return undefined;
  if (!hasBudget(owner)) return undefined;
  const { returned, needMicrousd, use } = drawForDay({
    use: run.dayUse,
    today: dayIn(owner.zone, state.now()),
    beforeMicrousd: run.view.spentMicrousd,
    afterMicrousd: chargedMicrousd,
    settledMicrousd: draw.settledMicrousd,
  });
  const returnedHere = returned?.microusd ?? 0;
  if (returned) addToDay(owner, returned.day, -returnedHere);
  const refusal = findOwnerRefusal(useOf(state, owner), needMicrousd);
  if (refusal) {
    if (returned) addToDay(owner, returned.day, returnedHere);
    return refusal;
  }
  addToDay(owner, use.day ?? "", needMicrousd);
  run.dayUse = use;
  return undefined;
}

/** Returns what a run that ends has drawn and not spent on its last day. */
export function returnUnspentOfDay(
  state: MemoryState,
  { view, dayUse }: MemoryRun,
  chargedMicrousd: number,
): void {
  if (dayUse.day === null) return;
  addToDay(ensureOwner(state, view.ownerId), dayUse.day, -unspentOf(dayUse, chargedMicrousd));
}

function addToDay({ days }: MemoryOwner, day: string, microusd: number): void {
  days.set(day, Math.max(0, (days.get(day) ?? 0) + microusd));
}
