import { expect, it } from "vitest";
import { appendOf, freshOwner, note, type StoreHarness } from "./store-harness.ts";

export function testBudgets({ claim, createRun, store }: StoreHarness): void {
  it("X6 draws from the owner's cap in blocks, never above it, and returns the rest at the end", async () => {
    const ownerId = freshOwner();
    await store.budgets.setOwnerCap(ownerId, 100);
    const [one, two] = [await createRun(ownerId), await createRun(ownerId)];
    const [a, b] = [await claim(one.id), await claim(two.id)];
    expect(a.run.ownerCapMicrousd).toBe(100);
    expect(
      await store.log.append(
        appendOf(a.lease, 2, [note("a")], {
          draw: { needMicrousd: 80, blockMicrousd: 80 },
          chargedMicrousd: 30,
        }),
      ),
    ).toMatchObject({ ok: true, drawnMicrousd: 80 });
    expect(
      await store.log.append(
        appendOf(b.lease, 2, [note("b")], { draw: { needMicrousd: 30, blockMicrousd: 80 } }),
      ),
    ).toEqual({ ok: false, reason: "budget" });
    expect(
      await store.log.append(
        appendOf(b.lease, 1, [note("b")], { draw: { needMicrousd: 10, blockMicrousd: 80 } }),
      ),
    ).toEqual({ ok: false, reason: "moved" });
    expect((await store.budgets.ownerSpending(ownerId)).drawnMicrousd).toBe(80);
    expect(
      await store.log.append(
        appendOf(a.lease, 3, [{ type: "status", payload: { status: "completed" } }], {
          release: "end",
          chargedMicrousd: 25,
        }),
      ),
    ).toMatchObject({ ok: true });
    expect(await store.budgets.ownerSpending(ownerId)).toEqual({
      capMicrousd: 100,
      drawnMicrousd: 25,
    });
    expect(
      await store.log.append(
        appendOf(b.lease, 2, [note("b")], {
          draw: { needMicrousd: 75, blockMicrousd: 80 },
          chargedMicrousd: 75,
        }),
      ),
    ).toMatchObject({ ok: true, drawnMicrousd: 75 });
    expect((await store.budgets.ownerSpending(ownerId)).drawnMicrousd).toBe(100);
  });
}
