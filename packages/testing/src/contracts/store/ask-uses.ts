import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testAskUses({ createRun, claim, parkedRun, store }: StoreHarness): void {
  it("X3 lets one action use an ask, however many try at once", async () => {
    const ownerId = freshOwner();
    const { id: rootRunId } = await createRun(ownerId);
    const task = { ownerId, rootRunId };
    const actions = Array.from({ length: 8 }, () => randomUUID());
    const held = await Promise.all(
      actions.map((actionId) =>
        store.askUses.use(task, { key: "w1:0-4:send_mail", runId: rootRunId, actionId }),
      ),
    );
    const winners = actions.filter((_, index) => held[index]);
    expect(winners).toHaveLength(1);
    expect(await store.askUses.list(task)).toEqual(new Map([["w1:0-4:send_mail", winners[0]]]));
    const again = { key: "w1:0-4:send_mail", runId: rootRunId, actionId: winners[0] ?? "" };
    expect(await store.askUses.use(task, again)).toBe(true);
    const other = { ...again, key: "w1:0-4:reply", actionId: randomUUID() };
    expect(await store.askUses.use(task, other)).toBe(true);
    expect(await store.askUses.list({ ...task, ownerId: freshOwner() })).toEqual(new Map());
  });

  it("X3 gives an ask back if the effect was not done, and keeps it otherwise", async () => {
    for (const [state, outcome, isGivenBack] of [
      ["failed", "failed", true],
      ["done", "completed", false],
      ["unknown", "unknown", false],
    ] as const) {
      const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
      const task = { ownerId, rootRunId: run.id };
      const use = { key: "w1:0-4:post", runId: run.id, actionId };
      expect(await store.askUses.use(task, use)).toBe(true);
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
      const { lease } = await claim(run.id);
      await store.log.append(
        appendOf(lease, 7, [
          { type: "effect", payload: { effectId, actionId, tool: "post", state, digest } },
          { type: "tool", payload: { phase: "end", actionId, name: "post", outcome } },
        ]),
      );
      expect((await store.askUses.list(task)).size).toBe(isGivenBack ? 0 : 1);
      const next = { ...use, actionId: randomUUID() };
      expect(await store.askUses.use(task, next)).toBe(isGivenBack);
    }
  });
}
