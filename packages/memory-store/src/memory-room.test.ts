import { BronError } from "@bron/core";
import { defaultCaps, errorTable } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import type { MemoryLimits } from "./memory-state.ts";
import { memoryStore, type MemoryStore } from "./memory-store.ts";

const ownerId = "local";

function openStore(limits: Partial<MemoryLimits>) {
  let time = Date.parse("2026-01-05T09:00:00Z");
  const store = memoryStore({ now: () => time++, limits });
  const create = async (prompt = "x", more: object = {}) =>
    (
      await store.runs.create({
        ownerId,
        input: { prompt, ...more },
        title: "x",
        caps: defaultCaps,
      })
    ).run;
  return { store, create };
}

async function finish(store: MemoryStore, runId: string): Promise<void> {
  const claimed = await store.log.claim({
    runId,
    worker: "w",
    leaseMs: 60_000,
    takeOverUntil: 0,
    serves: [],
    maxPerOwner: 100,
    maxInAll: 100,
  });
  if (!claimed.claimed) throw new BronError("internal", claimed.reason);
  await store.log.append({
    lease: claimed.lease,
    seen: claimed.lastSeq,
    events: [{ type: "status", payload: { status: "completed" } }],
    leaseMs: 60_000,
    release: "end",
  });
}

const idsOf = async (store: MemoryStore) =>
  (await store.runs.list(ownerId, {})).map(({ id }) => id).toReversed();

describe("a full memory store", () => {
  it("forgets the run that finished first", async () => {
    const { store, create } = openStore({ maxRuns: 3 });
    const [first, second, third] = [await create(), await create(), await create()];
    await finish(store, second.id);
    await finish(store, first.id);
    const fourth = await create();
    expect(await idsOf(store)).toEqual([first.id, third.id, fourth.id]);
    await create();
    expect(await store.runs.get(ownerId, first.id)).toBeUndefined();
    expect(await store.runs.events(ownerId, first.id, 0)).toEqual([]);
    await finish(store, third.id);
    await expect(create("x", { threadId: first.threadId })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("refuses a new run when all others are unfinished, until one ends", async () => {
    const { store, create } = openStore({ maxRuns: 2 });
    const [first, second] = [await create(), await create()];
    const refused = await create().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "store_full", retryable: true });
    expect(errorTable.store_full).toMatchObject({ status: 507, public: true });
    expect(await idsOf(store)).toEqual([first.id, second.id]);
    await finish(store, first.id);
    const third = await create();
    expect(await idsOf(store)).toEqual([second.id, third.id]);
  });

  it("counts the bytes of logs and files", async () => {
    const { store, create } = openStore({ maxBytes: 100_000 });
    const first = await create("a".repeat(40_000));
    await finish(store, first.id);
    const second = await create("b".repeat(40_000));
    const put = (bytes: number) =>
      store.artifacts.put({
        ownerId,
        runId: second.id,
        kind: "file",
        name: "a",
        mediaType: "text/plain",
        bytes: new Uint8Array(bytes),
      });
    const { digest } = await put(50_000);
    expect(await idsOf(store)).toEqual([second.id]);
    expect((await store.artifacts.read(ownerId, digest))?.length).toBe(50_000);
    await expect(put(60_000)).rejects.toMatchObject({ code: "store_full" });
    await expect(create()).resolves.toBeDefined();
    await finish(store, second.id);
    await create("c".repeat(90_000));
    expect(await store.artifacts.read(ownerId, digest)).toBeUndefined();
  });

  it("keeps a finished run while a retry of it or its parent is unfinished", async () => {
    const { store, create } = openStore({ maxRuns: 4 });
    const first = await create();
    await finish(store, first.id);
    const { run: retry } = await store.runs.create({
      ownerId,
      input: { prompt: "x", threadId: first.threadId },
      title: "x",
      caps: defaultCaps,
      retry: { runId: first.id, notDone: [] },
    });
    const parent = await create();
    const { run: child } = await store.runs.create({
      ownerId,
      input: { prompt: "child" },
      title: "x",
      caps: defaultCaps,
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    await finish(store, child.id);
    await expect(create()).rejects.toMatchObject({ code: "store_full" });
    await finish(store, retry.id);
    const next = await create();
    expect(await idsOf(store)).toEqual([retry.id, parent.id, child.id, next.id]);
  });

  it("creates a retry of the run that it would forget next", async () => {
    const { store, create } = openStore({ maxRuns: 2 });
    const [first, second] = [await create(), await create()];
    await finish(store, first.id);
    await finish(store, second.id);
    const { run } = await store.runs.create({
      ownerId,
      input: { prompt: "x", threadId: first.threadId },
      title: "x",
      caps: defaultCaps,
      retry: { runId: first.id, notDone: [] },
    });
    expect(await idsOf(store)).toEqual([first.id, run.id]);
    expect(run.threadId).toBe(first.threadId);
  });

  it("keeps the newest audit rows and used keys", async () => {
    const { store } = openStore({ maxAuditRows: 100, maxUsedKeys: 2 });
    for (let count = 0; count < 1_000; count++)
      await store.audit.write(ownerId, { what: "run.stopped", by: "owner" });
    const rows = await store.audit.list(ownerId, { limit: 1_000 });
    expect(rows[0]?.id).toBe(1_000);
    expect(rows.length).toBeLessThanOrEqual(110);
    for (const key of ["a", "b", "c"]) await store.usedKeys.useOnce(key);
    expect(await store.usedKeys.wasUsed("a")).toBe(false);
    expect(await store.usedKeys.useOnce("c")).toBe(false);
  });
});
