import { randomUUID } from "node:crypto";
import type { NewEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testEffects({ claim, createRun, parkedRun, store }: StoreHarness): void {
  it("X2 lets the owner settle an unknown effect, once, and leaves the log unchanged", async () => {
    const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
    await expect(store.effects.settle({ ownerId, effectId, as: "happened" })).rejects.toMatchObject(
      { code: "conflict" },
    );
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    const { lease } = await claim(run.id);
    await store.log.append(
      appendOf(
        lease,
        7,
        [
          {
            type: "effect",
            payload: { effectId, actionId, tool: "post", state: "unknown", digest },
          },
          { type: "status", payload: { status: "completed" } },
        ],
        { release: "end" },
      ),
    );
    expect(await store.effects.get(ownerId, effectId)).toMatchObject({
      state: "unknown",
      settled: null,
    });
    expect(await store.effects.listUnknown(ownerId)).toMatchObject([{ id: effectId }]);
    expect(await store.effects.listUnknown(freshOwner())).toEqual([]);
    const settlings = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        store.effects.settle({
          ownerId,
          effectId,
          as: "did_not_happen",
          note: "not in the outbox",
        }),
      ),
    );
    expect(settlings.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const settling of settlings)
      if (settling.status === "rejected")
        expect(settling.reason).toMatchObject({ code: "conflict" });
    const settled = { as: "did_not_happen", at: expect.any(String), note: "not in the outbox" };
    expect(await store.runs.effects(ownerId, run.id)).toMatchObject([
      { id: effectId, state: "unknown", settled },
    ]);
    expect(await store.effects.listUnknown(ownerId)).toEqual([]);
    expect((await store.runs.get(ownerId, run.id))?.lastSeq).toBe(9);
    expect(await store.audit.list(ownerId, { what: "effect.settled" })).toMatchObject([
      {
        by: "owner",
        runId: run.id,
        effectId,
        tool: "post",
        digest,
        details: { as: "did_not_happen", note: "not in the outbox" },
      },
    ]);
    await expect(
      store.effects.settle({ ownerId, effectId: randomUUID(), as: "happened" }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(
      store.effects.settle({ ownerId, effectId: "no id", as: "happened" }),
    ).rejects.toMatchObject({ code: "not_found" });
  });

  it("X3 lets the owner restore what an effect replaced, once, and audits it", async () => {
    const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
    const restoring = { ownerId, effectId };
    await expect(store.effects.startRestoring(restoring)).rejects.toMatchObject({
      code: "conflict",
      details: { why: { code: "nothing_to_restore" } },
    });
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    const { lease } = await claim(run.id);
    const done = { effectId, actionId, tool: "post", state: "done", digest } as const;
    await store.log.append(appendOf(lease, 7, [{ type: "effect", payload: done }]));
    const starts = await Promise.allSettled(
      Array.from({ length: 6 }, () => store.effects.startRestoring(restoring)),
    );
    expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const start of starts)
      if (start.status === "rejected")
        expect(start.reason).toMatchObject({ details: { why: { code: "restore_under_way" } } });
    await store.effects.endRestoring({ ...restoring, isRestored: false });
    expect(await store.effects.get(ownerId, effectId)).toMatchObject({ restoredAt: null });
    await store.effects.startRestoring(restoring);
    for (let times = 0; times < 2; times++)
      expect(await store.effects.endRestoring({ ...restoring, isRestored: true })).toMatchObject({
        restoredAt: expect.any(String),
      });
    await expect(store.effects.startRestoring(restoring)).rejects.toMatchObject({
      details: { why: { code: "already_restored" } },
    });
    for (const foreign of [
      { ownerId: freshOwner(), effectId },
      { ownerId, effectId: randomUUID() },
      { ownerId, effectId: "no id" },
    ])
      await expect(store.effects.startRestoring(foreign)).rejects.toMatchObject({
        code: "not_found",
      });
    expect(await store.audit.list(ownerId, { what: "effect.restored" })).toMatchObject([
      { by: "owner", runId: run.id, effectId, tool: "post", digest, details: {} },
    ]);
  });

  it("BR2 lets the owner undo an effect that needs no approval, once and in time", async () => {
    const ownerId = freshOwner();
    const start = async (undoMs: number) => {
      const run = await createRun(ownerId);
      const { lease, databaseNow } = await claim(run.id);
      const [actionId, effectId] = [randomUUID(), randomUUID()];
      const ids = { effectId, actionId, tool: "post", digest: `sha256:${effectId}` };
      const append = async (seen: number, ...events: NewEvent[]) =>
        await store.log.append(appendOf(lease, seen, events));
      const attempt = { type: "effect", payload: { ...ids, state: "attempting" } } as const;
      const proposed = { prepared: { text: "hi" }, undoUntil: databaseNow + undoMs };
      expect(
        await append(2, calling(actionId), {
          type: "effect",
          payload: { ...ids, state: "approved", ...proposed },
        }),
      ).toMatchObject({ ok: true });
      return { run, effectId, attempt: () => append(4, attempt) };
    };
    const one = await start(60_000);
    expect(await store.effects.get(ownerId, one.effectId)).toMatchObject({
      state: "approved",
      undoUntil: expect.any(String),
    });
    await expect(store.effects.undo(freshOwner(), one.effectId)).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(store.effects.undo(ownerId, "no id")).rejects.toMatchObject({
      code: "not_found",
    });
    const undoings = await Promise.allSettled(
      Array.from({ length: 4 }, () => store.effects.undo(ownerId, one.effectId)),
    );
    expect(undoings.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const undoing of undoings)
      if (undoing.status === "rejected")
        expect(undoing.reason).toMatchObject({ code: "approval_closed" });
    // The holder of the run has not seen the undo, so it cannot record an attempt.
    expect(await one.attempt()).toMatchObject({ ok: false });
    const [last] = (await store.runs.events(ownerId, one.run.id, 0, 100)).slice(-1);
    expect(last).toMatchObject({ type: "effect", payload: { state: "rejected", undone: true } });
    expect(await store.denials.list({ ownerId, rootRunId: one.run.id })).toMatchObject([
      { tool: "post", prepared: { text: "hi" }, cause: "undone" },
    ]);

    const started = await start(60_000);
    expect(await started.attempt()).toMatchObject({ ok: true });
    const late = await start(-1);
    for (const { effectId } of [started, late])
      await expect(store.effects.undo(ownerId, effectId)).rejects.toMatchObject({
        code: "approval_closed",
      });
  });

  it.for([
    ["happened", 0],
    ["did_not_happen", 1],
  ] as const)("BR18 an effect settled as %s leaves %i not done", async ([as, notDone]) => {
    const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    const { lease } = await claim(run.id);
    await store.log.append(
      appendOf(
        lease,
        7,
        [
          {
            type: "effect",
            payload: { effectId, actionId, tool: "post", state: "unknown", digest },
          },
          { type: "status", payload: { status: "completed", notDone: 1 } },
        ],
        { release: "end" },
      ),
    );
    expect(await store.runs.get(ownerId, run.id)).toMatchObject({ notDone: 1 });
    await store.effects.settle({ ownerId, effectId, as });
    expect(await store.runs.get(ownerId, run.id)).toMatchObject({ notDone });
  });
}

function calling(actionId: string): NewEvent {
  const calls = [{ actionId, callId: "c1", tool: "post", input: {} }];
  return {
    type: "step",
    payload: { phase: "end", step: 1, attempt: 1, finish: "tool-calls", calls },
  };
}
