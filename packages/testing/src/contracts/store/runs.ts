import { randomUUID } from "node:crypto";
import { sha256, type NewRun, type Store } from "@bron/core";
import {
  emptyRunResult,
  runResultSchema,
  type NewEvent,
  type RunResult,
  type RunStatus,
} from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness, tailOf } from "./store-harness.ts";

export function testRuns({
  claim,
  create,
  createRun,
  parkedRun,
  store,
  under,
}: StoreHarness): void {
  it("RT12 stores a new run with its user message, queued and runnable, and calls the waker", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    expect(run).toMatchObject({
      ownerId,
      status: "queued",
      prompt: "say hello",
      lastSeq: 2,
      error: null,
    });
    const events = await store.runs.events(ownerId, run.id, 0);
    expect(events.map(({ seq, type, payload }) => ({ seq, type, payload }))).toEqual([
      { seq: 1, type: "status", payload: { status: "queued" } },
      { seq: 2, type: "message", payload: { role: "user", content: "say hello" } },
    ]);
    await expect
      .poll(() =>
        under.wakes.some((wake) => wake.runId === run.id && wake.ownerId === ownerId && !wake.held),
      )
      .toBe(true);
  });

  it("returns the same run for the same idempotency key, and rejects the key for another task", async () => {
    const ownerId = freshOwner();
    const results = await Promise.all(
      Array.from({ length: 8 }, () => create(ownerId, { idempotencyKey: "k" })),
    );
    expect(new Set(results.map(({ run }) => run.id)).size).toBe(1);
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    await expect(
      createRun(ownerId, { idempotencyKey: "k", input: { prompt: "other" } }),
    ).rejects.toMatchObject({ code: "conflict" });
    const withContext = { prompt: "say hello", context: ["c"] };
    await expect(
      createRun(ownerId, { idempotencyKey: "k", input: withContext }),
    ).rejects.toMatchObject({ code: "conflict" });
    const first = await create(ownerId, { idempotencyKey: "c", input: withContext });
    expect(first.created).toBe(true);
    expect(await create(ownerId, { idempotencyKey: "c", input: withContext })).toMatchObject({
      created: false,
      run: { id: first.run.id },
    });
    const other = await create(freshOwner(), { idempotencyKey: "k" });
    expect(other.created).toBe(true);
    expect(other.run.id).not.toBe(results[0]?.run.id);
  });

  it("creates a run for every request without an idempotency key", async () => {
    const ownerId = freshOwner();
    const [first, second] = [await create(ownerId), await create(ownerId)];
    expect([first.created, second.created]).toEqual([true, true]);
    expect(first.run.id).not.toBe(second.run.id);
  });

  it("finds a task by its key again if the stored text differs from the given one", async () => {
    const ownerId = freshOwner();
    const odd = { idempotencyKey: "k", input: { prompt: "a\u0000b \ud800" } };
    const { run } = await create(ownerId, odd);
    expect(run.prompt).toBe("a\uFFFDb \uFFFD");
    expect(await create(ownerId, odd)).toMatchObject({ created: false, run: { id: run.id } });
  });

  it("rejects a used key if anything that makes the task another one differs", async () => {
    const ownerId = freshOwner();
    const upload = async () => {
      const file = { filename: "a.txt", contentType: "text/plain", sizeBytes: 3, ttlMs: 60_000 };
      const { upload: pending } = await store.uploads.create(ownerId, file);
      const bytes = new TextEncoder().encode("abc");
      await store.uploads.storeContent(ownerId, pending.id, { bytes, digest: await sha256(bytes) });
      return pending.id;
    };
    const [attached, unattached] = [await upload(), await upload()];
    const [parent, retried] = [await createRun(ownerId), await createRun(ownerId)];
    const thread = await createRun(ownerId);
    const retry = { runId: retried.id, notDone: [] };
    const task = {
      input: { prompt: "say hello", threadId: thread.threadId, uploadIds: [attached] },
      retry,
      parent: { runId: parent.id, failureMode: "best_effort" },
      idempotencyKey: "k",
    } as const;
    const again = async (extra: Partial<NewRun>, input: Partial<NewRun["input"]> = {}) =>
      await create(ownerId, { ...task, ...extra, input: { ...task.input, ...input } } as NewRun);
    const { run, created } = await again({});
    const { id } = run;
    expect(created).toBe(true);
    expect(await again({})).toMatchObject({ created: false, run: { id } });
    const inKnownBron = await again({}, { bronId: thread.bronId, uploadIds: undefined });
    expect(inKnownBron).toMatchObject({ created: false, run: { id } });
    for (const [extra, input] of [
      [{}, { prompt: "say goodbye" }],
      [{}, { bronId: randomUUID() }],
      [{}, { threadId: retried.threadId }],
      [{}, { uploadIds: [attached, unattached] }],
      [{ retry: undefined }, {}],
      [{ retry: { ...retry, runId: parent.id } }, {}],
      [{ parent: undefined }, {}],
      [{ parent: { ...task.parent, runId: retried.id } }, {}],
    ] as const)
      await expect(
        again(extra as Partial<NewRun>, input as Partial<NewRun["input"]>),
        JSON.stringify([extra, input]),
      ).rejects.toMatchObject({ code: "conflict" });
  });

  it("RT12 shows nothing of one owner to another", async () => {
    const { run, ownerId, approvalId, effectId, digest } = await parkedRun();
    const stranger = freshOwner();
    expect(await store.runs.get(stranger, run.id)).toBeUndefined();
    expect(await store.runs.events(stranger, run.id, 0)).toEqual([]);
    expect(await store.runs.list(stranger, {})).toEqual([]);
    expect(await store.runs.actions(stranger, run.id)).toEqual([]);
    expect(await store.runs.effects(stranger, run.id)).toEqual([]);
    expect(await store.approvals.list(stranger, {})).toEqual([]);
    expect(await store.approvals.get(stranger, approvalId)).toBeUndefined();
    expect(await tailOf(store, stranger, run.threadId, run.id, 10)).toEqual([]);
    expect(await store.threads.profile(stranger, run.bronId)).toBeUndefined();
    await expect(
      store.approvals.decide({ ownerId: stranger, approvalId, digest, approved: true }),
    ).rejects.toMatchObject({ code: "not_found" });
    expect(await store.audit.list(stranger, {})).toEqual([]);
    expect(await store.audit.list(stranger, { runId: run.id })).toEqual([]);
    expect(await store.effects.get(stranger, effectId)).toBeUndefined();
    await expect(
      store.effects.settle({ ownerId: stranger, effectId, as: "happened" }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(store.runs.requestCancel(stranger, run.id)).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(
      createRun(stranger, { input: { prompt: "x", threadId: run.threadId } }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(
      createRun(stranger, { input: { prompt: "x", bronId: run.bronId } }),
    ).rejects.toMatchObject({ code: "not_found" });
    expect((await store.runs.get(ownerId, run.id))?.status).toBe("awaiting_confirmation");
  });

  it("BR18 stores which run a retry repeats, and copies its attachments", async () => {
    const ownerId = freshOwner();
    const first = await createRun(ownerId, {
      input: { prompt: "one", attachedContext: [{ type: "email", id: "m1", title: "a mail" }] },
    });
    expect(first.retryOf).toBeNull();
    const second = await createRun(ownerId, {
      input: { prompt: "one", threadId: first.threadId },
      retry: { runId: first.id, notDone: ["a"] },
    });
    expect(second).toMatchObject({ retryOf: first.id, threadId: first.threadId });
    expect(await store.runs.get(ownerId, second.id)).toMatchObject({ retryOf: first.id });
    const { run, events } = await claim(second.id);
    expect(run.attachedContext).toEqual([{ type: "email", id: "m1", title: "a mail" }]);
    expect(events[0]).toMatchObject({
      type: "status",
      payload: { status: "queued", retry: { runId: first.id, notDone: ["a"] } },
    });
  });

  it("keeps every field of the result that the last status of a run has", async () => {
    const { id, ownerId } = await createRun(freshOwner());
    const { lease, events } = await claim(id);
    expect(await store.runs.get(ownerId, id)).toMatchObject(emptyRunResult);
    const result = sampleResult();
    const end: NewEvent = { type: "status", payload: { status: "completed", ...result } };
    await store.log.append(appendOf(lease, events.length, [end], { release: "end" }));
    expect(await store.runs.get(ownerId, id)).toMatchObject(result);
  });

  it("lists an owner's runs newest first, page by page", async () => {
    const ownerId = freshOwner();
    const made: string[] = [];
    for (let index = 0; index < 5; index++) made.unshift((await createRun(ownerId)).id);
    const page = await store.runs.list(ownerId, { limit: 2 });
    expect(page.map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect(
      (await store.runs.list(ownerId, { limit: 10, before: made[1]! })).map(({ id }) => id),
    ).toEqual(made.slice(2));
    expect(await store.runs.list(ownerId, { status: "completed" })).toEqual([]);
  });

  it("lists and counts an owner's runs by status, active and finished", async () => {
    const ownerId = freshOwner();
    const { run: parked } = await parkedRun(ownerId);
    const end = async (status: "completed" | "failed" | "canceled") => {
      const run = await createRun(ownerId);
      const { lease } = await claim(run.id);
      expect(
        await store.log.append(
          appendOf(lease, 2, [{ type: "status", payload: { status } }], { release: "end" }),
        ),
      ).toMatchObject({ ok: true });
      return run.id;
    };
    const [first, failed, canceled, last] = [
      await end("completed"),
      await end("failed"),
      await end("canceled"),
      await end("completed"),
    ];
    const queued = await createRun(ownerId);
    await createRun(freshOwner());
    const idsOf = async (status: RunStatus, extra: Parameters<Store["runs"]["list"]>[1] = {}) =>
      (await store.runs.list(ownerId, { status, ...extra })).map(({ id }) => id);
    expect(await idsOf("awaiting_confirmation")).toEqual([parked.id]);
    expect(await idsOf("queued")).toEqual([queued.id]);
    expect(await idsOf("completed")).toEqual([last, first]);
    expect(await idsOf("completed", { before: last, limit: 1 })).toEqual([first]);
    expect(await idsOf("failed")).toEqual([failed]);
    expect(await idsOf("canceled")).toEqual([canceled]);
    expect(await idsOf("executing")).toEqual([]);
    expect(await store.runs.counts(ownerId)).toEqual({
      awaiting_confirmation: 1,
      queued: 1,
      completed: 2,
      failed: 1,
      canceled: 1,
    });
  });

  it("finds an owner's runs and approvals by an id prefix", async () => {
    const { run, ownerId, approvalId } = await parkedRun();
    const other = await parkedRun(ownerId);
    for (const length of [6, 9, 20, 36]) {
      expect(
        (await store.runs.list(ownerId, { idPrefix: run.id.slice(0, length) })).map(({ id }) => id),
      ).toEqual([run.id]);
      expect(
        (await store.approvals.list(ownerId, { idPrefix: approvalId.slice(0, length) })).map(
          ({ id }) => id,
        ),
      ).toEqual([approvalId]);
    }
    expect(await store.runs.list(other.ownerId, { idPrefix: approvalId.slice(0, 12) })).toEqual([]);
    expect(await store.runs.list(freshOwner(), { idPrefix: run.id })).toEqual([]);
    expect(await store.approvals.list(freshOwner(), { idPrefix: approvalId })).toEqual([]);
    for (const idPrefix of ["no id", "0-0", `${run.id}0`]) {
      expect(await store.runs.list(ownerId, { idPrefix })).toEqual([]);
      expect(await store.approvals.list(ownerId, { idPrefix })).toEqual([]);
    }
  });

  it("BR1 lists the runs of one Bron, and none of another owner's Bron", async () => {
    const ownerId = freshOwner();
    const [first, second, other] = [
      await createRun(ownerId),
      await createRun(ownerId),
      await createRun(freshOwner()),
    ];
    expect((await store.runs.list(ownerId, { bronId: first.bronId })).map(({ id }) => id)).toEqual([
      second.id,
      first.id,
    ]);
    expect(
      (await store.runs.list(ownerId, { bronId: first.bronId, before: second.id })).map(
        ({ id }) => id,
      ),
    ).toEqual([first.id]);
    for (const bronId of [other.bronId, randomUUID(), "nonsense"])
      expect(await store.runs.list(ownerId, { bronId })).toEqual([]);
  });

  it("BR6 returns changed runs of several owners at once, with all active runs on request", async () => {
    const { run: parked, ownerId } = await parkedRun();
    const over = await createRun(ownerId);
    const { lease } = await claim(over.id);
    await store.log.append(
      appendOf(lease, 2, [{ type: "status", payload: { status: "completed" } }], {
        release: "end",
      }),
    );
    const [queued, others] = [await createRun(freshOwner()), await createRun(freshOwner())];
    const owners = [ownerId, queued.ownerId];
    const idsOf = async (of: Parameters<Store["runs"]["changes"]>[1]) =>
      (await store.runs.changes(owners, of))
        .map(({ run, pendingApprovals }) => `${run.id} ${run.status} ${pendingApprovals}`)
        .toSorted();
    expect(await idsOf({ runIds: [over.id, queued.id, others.id, "nonsense"] })).toEqual(
      [`${over.id} completed 1`, `${queued.id} queued 0`].toSorted(),
    );
    expect(await idsOf({ runIds: [], active: true })).toEqual(
      [`${parked.id} awaiting_confirmation 1`, `${queued.id} queued 0`].toSorted(),
    );
    expect(await idsOf({ runIds: [over.id, queued.id], active: true })).toHaveLength(3);
    expect(await store.runs.changes([], { runIds: [over.id], active: true })).toEqual([]);
  });
}

/** A result in which each field differs from the others, and from a run that has not ended. */
function sampleResult(): RunResult {
  const fields = Object.entries(runResultSchema.shape).map(([field, schema], index) => [
    field,
    [index + 2, "partly_done"].find((sample) => schema.safeParse(sample).success),
  ]);
  return runResultSchema.parse(Object.fromEntries(fields));
}
