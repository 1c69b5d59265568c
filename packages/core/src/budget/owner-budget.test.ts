import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";

const price = { inputMicrousdPerMillion: 1_000, outputMicrousdPerMillion: 1_000_000 };

describe("a run whose owner has a budget", () => {
  it("BR33 X6 ends with a card that names the budget, before the call that could exceed it", async () => {
    let calls = 0;
    const harness = createLoopHarness({
      price,
      script: () => {
        calls++;
        return { text: "Done." };
      },
    });
    const budget = { zone: "UTC", dayCapMicrousd: 100_000, monthCapMicrousd: null };
    await harness.store.budgets.setBudget("local", budget);
    const first = await harness.create();
    await harness.advance(first.id);
    expect((await harness.run(first.id)).status).toBe("completed");
    const { dayMicrousd } = await harness.store.budgets.budget("local");
    expect(dayMicrousd).toBe((await harness.run(first.id)).spentMicrousd);
    await harness.store.budgets.setBudget("local", { ...budget, dayCapMicrousd: dayMicrousd + 1 });
    const second = await harness.create();
    await harness.advance(second.id);
    expect(calls).toBe(1);
    expect(await harness.run(second.id)).toMatchObject({
      status: "failed",
      error: {
        code: "budget_exhausted",
        why: { code: "period_budget", period: "day", limitMicrousd: dayMicrousd + 1 },
      },
    });
    const cards = (await harness.events(second.id)).filter(({ type }) => type === "ui");
    expect(JSON.stringify(cards)).toContain("period_budget");
  });
});
