import type { ClientActionRef } from "@bron/core";
import type { NewEvent } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

const future = "2100-01-01T00:00:00.000Z";

export function testClientActions({ claim, createRun, store }: StoreHarness): void {
  /** A parked run with one action that waits for a page. */
  const start = async (ownerId: string, expiresAt = future, parentRunId?: string) => {
    const parent =
      parentRunId === undefined
        ? {}
        : { parent: { runId: parentRunId, failureMode: "best_effort" as const } };
    const run = await createRun(ownerId, parent);
    const { lease } = await claim(run.id);
    const ref = { runId: run.id, actionId: randomUUID() };
    const { actionId } = ref;
    const events: NewEvent[] = [
      {
        type: "step",
        payload: {
          phase: "end",
          step: 1,
          attempt: 1,
          finish: "tool-calls",
          calls: [{ actionId, callId: "c", tool: "look", input: {} }],
        },
      },
      { type: "tool", payload: { phase: "start", actionId, name: "look", attempt: 1 } },
      {
        type: "client_action",
        payload: {
          actionId,
          state: "pending",
          program: "page",
          tool: "look",
          input: { at: "title" },
          expiresAt,
          ifExpired: "failed",
          secretHash: "hash",
        },
      },
    ];
    expect(await store.log.append(appendOf(lease, 2, events, { release: "park" }))).toMatchObject({
      ok: true,
    });
    return ref;
  };
  const finish = (ownerId: string, ref: ClientActionRef, secretHash = "hash", result = "seen") =>
    store.clientActions.finish(ownerId, { ...ref, secretHash, result });
  const lastSeq = async (ownerId: string, { runId }: ClientActionRef) =>
    (await store.runs.get(ownerId, runId))?.lastSeq;

  it("keeps a client action without its hashes, and lists those of the whole tree", async () => {
    const ownerId = freshOwner();
    const root = await start(ownerId);
    const child = await start(ownerId, future, root.runId);
    const grandchild = await start(ownerId, future, child.runId);
    const other = await start(ownerId);
    expect(await store.clientActions.get(ownerId, root)).toEqual({
      id: root.actionId,
      runId: root.runId,
      tool: "look",
      program: "page",
      input: { at: "title" },
      state: "pending",
      createdAt: expect.any(String),
      expiresAt: future,
      takenAt: null,
      endedAt: null,
    });
    const ids = async (options: Parameters<typeof store.clientActions.list>[1]) =>
      (await store.clientActions.list(ownerId, options)).map(({ id }) => id);
    const tree = [root, child, grandchild].map(({ actionId }) => actionId);
    expect(await ids({})).toEqual([...tree, other.actionId]);
    expect(await ids({ runId: root.runId })).toEqual(tree);
    expect(await ids({ runId: child.runId })).toEqual(tree.slice(1));
    expect(await ids({ after: root.actionId, limit: 1 })).toEqual([child.actionId]);
    await store.clientActions.take(ownerId, { ...child, takenBy: "tab" });
    await finish(ownerId, child);
    expect(await ids({ runId: root.runId, openOnly: true })).toEqual([
      root.actionId,
      grandchild.actionId,
    ]);
    expect(await store.clientActions.list(freshOwner(), {})).toEqual([]);
    expect(await store.clientActions.get(freshOwner(), root)).toBeUndefined();
    expect(
      await store.clientActions.get(ownerId, { ...root, actionId: child.actionId }),
    ).toBeUndefined();
  });

  it("gives a client action to one of many programs that take it at once", async () => {
    const ownerId = freshOwner();
    const ref = await start(ownerId);
    const takers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, tab) =>
        store.clientActions.take(ownerId, { ...ref, takenBy: `tab ${tab}` }),
      ),
    );
    const winner = takers.findIndex(({ status }) => status === "fulfilled");
    for (const [tab, taken] of takers.entries())
      if (tab !== winner) expect(taken).toMatchObject({ reason: { code: "conflict" } });
    const seq = await lastSeq(ownerId, ref);
    const again = await store.clientActions.take(ownerId, { ...ref, takenBy: `tab ${winner}` });
    expect(again).toMatchObject({ state: "taken", takenAt: expect.any(String) });
    expect(await lastSeq(ownerId, ref)).toBe(seq);
  });

  it("finishes a client action once, and wakes the run", async () => {
    const ownerId = freshOwner();
    const ref = await start(ownerId);
    await store.clientActions.take(ownerId, { ...ref, takenBy: "tab" });
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => finish(ownerId, ref, "hash", `result ${index}`)),
    );
    const winner = results.findIndex(({ status }) => status === "fulfilled");
    for (const [index, result] of results.entries())
      if (index !== winner) expect(result).toMatchObject({ reason: { code: "conflict" } });
    expect(await store.clientActions.get(ownerId, ref)).toMatchObject({
      state: "finished",
      endedAt: expect.any(String),
    });
    expect(await store.runs.events(ownerId, ref.runId, 5)).toMatchObject([
      { type: "client_action", payload: { state: "taken", takenBy: "tab" } },
      { type: "client_action", payload: { state: "finished", result: `result ${winner}` } },
    ]);
    expect(await store.runs.get(ownerId, ref.runId)).toMatchObject({ runnable: true });
  });

  it("rejects a finish with another secret, by another owner or for another run", async () => {
    const ownerId = freshOwner();
    const ref = await start(ownerId);
    const other = await start(ownerId);
    const code = async (call: Promise<unknown>) =>
      await call.then(
        () => "ok",
        ({ code: rejected }: { code: string }) => rejected,
      );
    // Not even the right secret before a program has it.
    expect(await code(finish(ownerId, ref))).toBe("forbidden");
    await store.clientActions.take(ownerId, { ...ref, takenBy: "tab" });
    const seq = await lastSeq(ownerId, ref);
    expect(await code(finish(ownerId, ref, "another"))).toBe("forbidden");
    expect(await code(finish(freshOwner(), ref))).toBe("not_found");
    expect(await code(finish(ownerId, { ...ref, runId: other.runId }))).toBe("not_found");
    expect(await code(finish(ownerId, { ...ref, actionId: "x" }))).toBe("not_found");
    expect(await code(store.clientActions.take(freshOwner(), { ...ref, takenBy: "tab" }))).toBe(
      "not_found",
    );
    expect(await lastSeq(ownerId, ref)).toBe(seq);
    expect(await code(finish(ownerId, ref))).toBe("ok");
    expect(await code(finish(ownerId, ref))).toBe("conflict");
    expect(await code(finish(ownerId, ref, "another"))).toBe("forbidden");
  });

  it("expires a client action that is due, once, and rejects what comes later", async () => {
    const ownerId = freshOwner();
    const ref = await start(ownerId, "2020-01-01T00:00:00.000Z");
    await expect(
      store.clientActions.take(ownerId, { ...ref, takenBy: "tab" }),
    ).rejects.toMatchObject({ code: "conflict" });
    expect(await store.clientActions.expireDue()).toBeGreaterThanOrEqual(1);
    await store.clientActions.expireDue();
    expect(await store.clientActions.get(ownerId, ref)).toMatchObject({ state: "expired" });
    expect(await store.runs.events(ownerId, ref.runId, 5)).toMatchObject([
      { type: "client_action", payload: { state: "expired" } },
    ]);
  });

  it("gives no client action away after a cancellation, and takes a result until the end", async () => {
    const ownerId = freshOwner();
    const [taken, free] = [await start(ownerId), await start(ownerId)];
    await store.clientActions.take(ownerId, { ...taken, takenBy: "tab" });
    for (const { runId } of [taken, free]) await store.runs.requestCancel(ownerId, runId);
    await expect(
      store.clientActions.take(ownerId, { ...free, takenBy: "tab" }),
    ).rejects.toMatchObject({ code: "conflict" });
    expect(await finish(ownerId, taken)).toMatchObject({ state: "finished" });
  });
}
