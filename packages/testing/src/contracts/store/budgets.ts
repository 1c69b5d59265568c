import type { AppendRequest, Lease } from "@bron/core";
import { defaultCaps, type NewEvent, type RunView } from "@bron/protocol";
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
          draw: { needMicrousd: 80, blockMicrousd: 80, isInTree: false },
          chargedMicrousd: 30,
        }),
      ),
    ).toMatchObject({ ok: true, drawnMicrousd: 80 });
    expect(
      await store.log.append(
        appendOf(b.lease, 2, [note("b")], {
          draw: { needMicrousd: 30, blockMicrousd: 80, isInTree: false },
        }),
      ),
    ).toEqual({ ok: false, reason: "budget", why: { code: "owner_budget" } });
    expect(
      await store.log.append(
        appendOf(b.lease, 1, [note("b")], {
          draw: { needMicrousd: 10, blockMicrousd: 80, isInTree: false },
        }),
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
          draw: { needMicrousd: 75, blockMicrousd: 80, isInTree: false },
          chargedMicrousd: 75,
        }),
      ),
    ).toMatchObject({ ok: true, drawnMicrousd: 75 });
    expect((await store.budgets.ownerSpending(ownerId)).drawnMicrousd).toBe(100);
  });

  const ending: NewEvent[] = [{ type: "status", payload: { status: "completed" } }];
  const childOf = async (parent: RunView) =>
    await createRun(parent.ownerId, {
      caps: parent.caps,
      parent: { runId: parent.id, failureMode: "best_effort" },
    });

  it("X6 draws from the caps of all runs above, never above one of them, and returns the rest", async () => {
    const ownerId = freshOwner();
    const root = await createRun(ownerId, { caps: { ...defaultCaps, costMicrousd: 100 } });
    const middle = await createRun(ownerId, {
      caps: { ...defaultCaps, costMicrousd: 60 },
      parent: { runId: root.id, failureMode: "best_effort" },
    });
    const [leaf, sibling] = [await childOf(middle), await childOf(root)];
    const [a, b, c] = [await claim(root.id), await claim(leaf.id), await claim(sibling.id)];
    expect(b.lease.cappedAncestors).toEqual([root.id, middle.id]);
    expect(c.lease.cappedAncestors).toEqual([root.id]);
    expect(a.lease.cappedAncestors).toEqual([]);
    const draw = (needMicrousd: number) => ({
      draw: { needMicrousd, blockMicrousd: needMicrousd, isInTree: true },
    });
    const task = (limitMicrousd: number) => ({
      ok: false,
      reason: "budget",
      why: { code: "task_budget", limitMicrousd },
    });
    const append = (lease: Lease, seen: number, extra: Partial<AppendRequest>) =>
      store.log.append(appendOf(lease, seen, [note("call")], extra));
    expect(await append(b.lease, 2, { ...draw(61), chargedMicrousd: 1 })).toEqual(task(60));
    expect(await append(b.lease, 2, { ...draw(60), chargedMicrousd: 50 })).toMatchObject({
      ok: true,
      drawnMicrousd: 60,
    });
    // The root has 40 left for itself and its other child.
    const rootSeen = (await store.runs.get(ownerId, root.id))?.lastSeq ?? 0;
    expect(await append(a.lease, rootSeen, { ...draw(0), chargedMicrousd: 41 })).toEqual(task(100));
    expect(await append(a.lease, rootSeen, { ...draw(0), chargedMicrousd: 30 })).toMatchObject({
      ok: true,
    });
    expect(await append(c.lease, 2, { ...draw(11), chargedMicrousd: 1 })).toEqual(task(100));
    expect(await append(c.lease, 1, { ...draw(11), chargedMicrousd: 1 })).toEqual({
      ok: false,
      reason: "moved",
    });
    expect(
      await store.log.append(appendOf(b.lease, 3, ending, { release: "end", chargedMicrousd: 45 })),
    ).toMatchObject({ ok: true, drawnMicrousd: 45 });
    expect(await append(c.lease, 2, { ...draw(26), chargedMicrousd: 1 })).toEqual(task(100));
    expect(await append(c.lease, 2, { ...draw(25), chargedMicrousd: 25 })).toMatchObject({
      ok: true,
    });
    // Costs that have arisen are recorded, whatever the cap says.
    expect(await append(a.lease, rootSeen + 1, { chargedMicrousd: 35 })).toMatchObject({
      ok: true,
    });
  });

  it("X6 counts the steps of a tree against the cap of its root", async () => {
    const ownerId = freshOwner();
    const root = await createRun(ownerId, { caps: { ...defaultCaps, steps: 3 } });
    const { lease } = await claim(root.id);
    const step = (number: number, attempt = 1): NewEvent => ({
      type: "step",
      payload: {
        phase: "start",
        step: number,
        attempt,
        model: "m",
        reservedMicrousd: 0,
        activeMs: 0,
      },
    });
    const nothing = { needMicrousd: 0, blockMicrousd: 0, isInTree: true };
    const take = (to: Lease, seen: number, steps: number) =>
      store.log.append(appendOf(to, seen, [step(steps)], { draw: { ...nothing, steps } }));
    expect(await store.log.append(appendOf(lease, 2, [step(1)]))).toMatchObject({ ok: true });
    const child = await childOf(root);
    const { lease: childLease } = await claim(child.id);
    const limit = { ok: false, reason: "budget", why: { code: "step_limit", steps: 3 } };
    expect(await take(childLease, 2, 1)).toMatchObject({ ok: true });
    expect(await take(lease, 4, 2)).toMatchObject({ ok: true });
    expect(await take(childLease, 3, 2)).toEqual(limit);
    expect(await take(lease, 5, 3)).toEqual(limit);
    // Another attempt is not another step.
    expect(
      await store.log.append(appendOf(lease, 5, [step(2, 2)], { draw: nothing })),
    ).toMatchObject({ ok: true });
  });

  it("X6 lets many runs draw from one tree at once, while they end and are canceled", async () => {
    const ownerId = freshOwner();
    await store.budgets.setOwnerCap(ownerId, 90);
    const root = await createRun(ownerId, { caps: { ...defaultCaps, costMicrousd: 100 } });
    const children = await Promise.all(Array.from({ length: 12 }, () => childOf(root)));
    const draws = children.map(async ({ id }) => {
      const { lease } = await claim(id);
      const drawn = await store.log.append(
        appendOf(lease, 2, [note("call")], {
          draw: { needMicrousd: 10, blockMicrousd: 10, isInTree: true },
          chargedMicrousd: 10,
        }),
      );
      // A cancellation may come in between.
      for (let isOver = false; !isOver;) {
        const seen = (await store.runs.get(ownerId, id))?.lastSeq ?? 0;
        const end = { release: "end", chargedMicrousd: drawn.ok ? 4 : 0 } as const;
        isOver = (await store.log.append(appendOf(lease, seen, ending, end))).ok;
      }
      return drawn;
    });
    const [canceled, ...results] = await Promise.all([
      store.runs.requestCancel(ownerId, root.id),
      ...draws,
    ]);
    expect(canceled).toBe(true);
    const { drawnMicrousd } = await store.budgets.ownerSpending(ownerId);
    expect(drawnMicrousd).toBe(4 * results.filter(({ ok }) => ok).length);
    expect(drawnMicrousd).toBeLessThanOrEqual(90);
  });
}
