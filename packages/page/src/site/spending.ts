import type { PageMemory } from "../state/keeper.ts";
import type { PageSite } from "./page-site.ts";

const dayMs = 24 * 3_600_000;

/** What one request may spend. It is taken from the caps before, and what is left is given back. */
export interface SpendingReserve {
  /** Absent: the site has no cap. */
  readonly costMicrousd?: number;
  settle(spentMicrousd: number): Promise<void>;
}

/**
 * Takes half of what is left of every cap, so that requests at the same time never spend more than a
 * cap together. Undefined if a cap is spent.
 */
export async function reserveSpending(
  memory: PageMemory,
  { name, caps }: Pick<PageSite, "name" | "caps">,
  visitor: string,
): Promise<SpendingReserve | undefined> {
  const limits = [
    { counter: `cost ${name}`, cap: caps.dayMicrousd },
    { counter: `cost ${name} ${visitor}`, cap: caps.visitorDayMicrousd },
  ].flatMap(({ counter, cap }) => (cap === undefined ? [] : [{ counter, cap }]));
  const taken: { counter: string; amount: number }[] = [];
  const giveBack = async (spent: number) => {
    for (const { counter, amount } of taken) await memory.add(counter, spent - amount, dayMs);
  };
  for (const { counter, cap } of limits) {
    const spent = await memory.add(counter, 0, dayMs);
    const amount = Math.ceil((cap - spent) / 2);
    if (amount > 0) taken.push({ counter, amount });
    if (amount <= 0 || (await memory.add(counter, amount, dayMs)) > cap) {
      await giveBack(0);
      return undefined;
    }
  }
  const costMicrousd = Math.min(...taken.map(({ amount }) => amount));
  return {
    ...(taken.length === 0 ? {} : { costMicrousd }),
    settle: giveBack,
  };
}
