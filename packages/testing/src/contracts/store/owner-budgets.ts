import type { Lease } from "@bron/core";
import { defaultCaps, omitUndefined } from "@bron/protocol";
import { expect, it } from "vitest";
import { newSchedule } from "./schedules.ts";
import { appendOf, freshOwner, note, type StoreHarness } from "./store-harness.ts";

export function testOwnerBudgets({ claim, createRun, store, under }: StoreHarness): void {
  const draw = (settledMicrousd = 0) => ({
    draw: { needMicrousd: 0, blockMicrousd: 0, isInTree: false, settledMicrousd },
  });
  const call = (lease: Lease, seen: number, chargedMicrousd: number, settled = 0) =>
    store.log.append(appendOf(lease, seen, [note("call")], { ...draw(settled), chargedMicrousd }));
  const budget = { zone: "UTC", dayCapMicrousd: 100, monthCapMicrousd: null };

  it("BR33 X6 draws each call from the owner's budget, never above it, and returns the rest", async () => {
    const ownerId = freshOwner();
    await store.budgets.setBudget(ownerId, budget);
    const [one, two] = [await createRun(ownerId), await createRun(ownerId)];
    const [a, b] = [await claim(one.id), await claim(two.id)];
    expect(a.run.hasOwnerBudget).toBe(true);
    expect(await call(a.lease, 2, 80)).toMatchObject({ ok: true, hasOwnerBudget: true });
    expect(await call(b.lease, 2, 21)).toEqual({
      ok: false,
      reason: "budget",
      why: { code: "period_budget", period: "day", limitMicrousd: 100 },
    });
    expect(await store.budgets.budget(ownerId)).toMatchObject({
      ...budget,
      dayMicrousd: 80,
      monthMicrousd: 80,
    });
    // The first call cost 30 of its 80, so the next one of this run draws only what is missing.
    expect(
      await store.log.append(appendOf(a.lease, 3, [note("end")], { chargedMicrousd: 30 })),
    ).toMatchObject({ ok: true });
    expect(await call(a.lease, 4, 90, 30)).toMatchObject({ ok: true });
    expect((await store.budgets.budget(ownerId)).dayMicrousd).toBe(90);
    expect(
      await store.log.append(
        appendOf(a.lease, 5, [{ type: "status", payload: { status: "completed" } }], {
          release: "end",
          chargedMicrousd: 40,
        }),
      ),
    ).toMatchObject({ ok: true });
    expect((await store.budgets.budget(ownerId)).dayMicrousd).toBe(40);
    expect(await call(b.lease, 2, 60)).toMatchObject({ ok: true });
    expect((await store.budgets.budget(ownerId)).dayMicrousd).toBe(100);
    expect(await store.audit.list(ownerId, { what: "budget.changed" })).toMatchObject([
      { by: "owner", details: budget },
    ]);
  });

  it("BR33 counts what this month has cost when the owner sets a budget, and calls under way", async () => {
    const ownerId = freshOwner();
    const [one, two] = [await createRun(ownerId), await createRun(ownerId)];
    const [a, b] = [await claim(one.id), await claim(two.id)];
    await store.log.append(
      appendOf(a.lease, 2, [{ type: "status", payload: { status: "completed" } }], {
        release: "end",
        chargedMicrousd: 50,
      }),
    );
    await store.log.append(appendOf(b.lease, 2, [note("call")], { chargedMicrousd: 20 }));
    expect(await store.budgets.budget(ownerId)).toMatchObject({
      dayCapMicrousd: null,
      monthCapMicrousd: null,
    });
    await store.budgets.setBudget(ownerId, { ...budget, monthCapMicrousd: 90 });
    expect(await store.budgets.budget(ownerId)).toMatchObject({
      dayMicrousd: 70,
      monthMicrousd: 70,
    });
    expect(await call(b.lease, 3, 41, 20)).toMatchObject({
      why: { code: "period_budget", period: "month", limitMicrousd: 90 },
    });
    expect(await call(b.lease, 3, 40, 20)).toMatchObject({ ok: true });
    await expect(
      store.budgets.setBudget(ownerId, { ...budget, zone: "Nowhere/Else" }),
    ).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("BR33 lowers what a run may cost to the limit of its Bron, and never raises it", async () => {
    const ownerId = freshOwner();
    const { bronId } = await createRun(ownerId);
    await store.brons.change(ownerId, bronId, { maxCostMicrousd: 50 });
    expect((await store.brons.get(ownerId, bronId))?.maxCostMicrousd).toBe(50);
    const costOf = async (costMicrousd: number | undefined) =>
      (await createRun(ownerId, { caps: { ...defaultCaps, ...omitUndefined({ costMicrousd }) } }))
        .caps.costMicrousd;
    expect(await costOf(undefined)).toBe(50);
    expect(await costOf(100)).toBe(50);
    expect(await costOf(20)).toBe(20);
    await store.brons.change(ownerId, bronId, { maxCostMicrousd: null });
    expect(await costOf(100)).toBe(100);
    expect(await costOf(undefined)).toBeUndefined();
  });

  it("BR33 BR27 skips a schedule whose owner's budget is spent, and says so", async () => {
    const ownerId = freshOwner();
    await store.budgets.setBudget(ownerId, { ...budget, dayCapMicrousd: 0 });
    const { id } = await store.schedules.create(ownerId, newSchedule({ expression: "1h" }));
    await under.passTime(61 * 60_000);
    while ((await store.schedules.startDue({ limit: 50, caps: defaultCaps })) > 0);
    expect(await store.schedules.get(ownerId, id)).toMatchObject({
      state: "active",
      skipped: { reason: "budget" },
    });
    expect(await store.runs.list(ownerId, {})).toEqual([]);
  });
}
