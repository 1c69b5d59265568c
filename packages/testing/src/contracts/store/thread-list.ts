import { threadViewSchema } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testThreadList(harness: StoreHarness): void {
  const { claim, createRun, parkedRun, store, under } = harness;
  const idsOf = (threads: readonly { readonly id: string }[]) => threads.map(({ id }) => id);

  it("RT12 shows a thread with the title of its first run and the status of its newest", async () => {
    const ownerId = freshOwner();
    const first = await createRun(ownerId, { title: "first" });
    const { lease } = await claim(first.id);
    await store.log.append(
      appendOf(lease, 2, [{ type: "status", payload: { status: "completed" } }], {
        release: "end",
      }),
    );
    const [alone] = await store.threads.list(ownerId, { limit: 10 });
    expect(threadViewSchema.parse(alone)).toEqual({
      id: first.threadId,
      title: "first",
      bronId: first.bronId,
      runCount: 1,
      status: "completed",
      latestRun: { id: first.id, title: "first", notDone: 0, outcome: null },
      waitsForOwner: false,
      waitsFor: null,
      pendingCount: 0,
      archivedAt: null,
      pinnedAt: null,
      snippet: null,
      createdAt: alone!.createdAt,
      updatedAt: alone!.updatedAt,
    });
    const second = await createRun(ownerId, {
      title: "second",
      input: { prompt: "more", threadId: first.threadId },
    });
    const thread = await store.threads.get(ownerId, first.threadId);
    expect(thread).toMatchObject({
      title: "first",
      runCount: 2,
      status: "queued",
      latestRun: { id: second.id, title: "second" },
    });
    expect(thread!.createdAt).toBe(alone!.createdAt);
    expect(thread!.updatedAt >= alone!.updatedAt).toBe(true);
    expect(idsOf(await store.runs.list(ownerId, { threadId: first.threadId }))).toEqual([
      second.id,
      first.id,
    ]);
    expect(await store.runs.list(ownerId, { threadId: randomUUID() })).toEqual([]);
    expect(await store.runs.list(freshOwner(), { threadId: first.threadId })).toEqual([]);
  });

  it("RT12 lists threads by the owner's last message, in pages that no message disturbs", async () => {
    const ownerId = freshOwner();
    const runs = [];
    for (let place = 0; place < 5; place++) {
      runs.push(await createRun(ownerId));
      await under.passTime(5);
    }
    const newestFirst = runs.map(({ threadId }) => threadId).toReversed();
    const all = await store.threads.list(ownerId, { limit: 10 });
    expect(idsOf(all)).toEqual(newestFirst);
    const page = await store.threads.list(ownerId, { limit: 2 });
    expect(idsOf(page)).toEqual(newestFirst.slice(0, 2));
    // The last thread of the page moves to the top.
    await createRun(ownerId, { input: { prompt: "more", threadId: newestFirst[1] } });
    expect(idsOf(await store.threads.list(ownerId, { limit: 10, before: page[1] }))).toEqual(
      newestFirst.slice(2),
    );
    await under.passTime(5);
    await store.runs.addMessage(ownerId, runs[0]!.id, { messageId: "m", content: "also" });
    expect(idsOf(await store.threads.list(ownerId, { limit: 2 }))).toEqual([
      runs[0]!.threadId,
      newestFirst[1],
    ]);
    const idPrefix = newestFirst[2]!.slice(0, 8);
    expect(idsOf(await store.threads.list(ownerId, { limit: 10, idPrefix }))).toEqual([
      newestFirst[2],
    ]);
  });

  it("BR1 tells that a run or one of its child runs waits for the owner", async () => {
    const { ownerId, run, approvalId, digest } = await parkedRun();
    const parent = await createRun(ownerId);
    const child = await parkedRun(ownerId, 60_000, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    const other = await createRun(ownerId);
    const waiting = async () =>
      Object.fromEntries(
        (await store.threads.list(ownerId, { limit: 10 })).map((thread) => [
          thread.id,
          thread.waitsForOwner,
        ]),
      );
    expect(await waiting()).toEqual({
      [run.threadId]: true,
      [parent.threadId]: true,
      [other.threadId]: false,
    });
    await store.approvals.decide({ ownerId, approvalId, digest, approved: false });
    await store.approvals.decide({ ...child, approved: false });
    for (const { id } of [run, child.run]) {
      const { lease, lastSeq } = await claim(id);
      await store.log.append(
        appendOf(lease, lastSeq, [{ type: "status", payload: { status: "failed" } }], {
          release: "end",
        }),
      );
    }
    expect(new Set(Object.values(await waiting()))).toEqual(new Set([false]));
  });

  it("RT12 renames a thread, and hides it from other owners", async () => {
    const ownerId = freshOwner();
    const { threadId } = await createRun(ownerId, { title: "before" });
    await store.threads.update(ownerId, threadId, { title: "after" });
    await createRun(ownerId, { title: "later", input: { prompt: "x", threadId } });
    expect(await store.threads.get(ownerId, threadId)).toMatchObject({ title: "after" });
    const stranger = freshOwner();
    expect(await store.threads.list(stranger, { limit: 10 })).toEqual([]);
    for (const [owner, id] of [
      [stranger, threadId],
      [ownerId, randomUUID()],
      [ownerId, "nonsense"],
    ] as const) {
      expect(await store.threads.get(owner, id)).toBeUndefined();
      await expect(store.threads.update(owner, id, { title: "x" })).rejects.toMatchObject({
        code: "not_found",
      });
      await expect(store.threads.delete(owner, id)).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await store.threads.get(ownerId, threadId)).toMatchObject({ title: "after" });
  });

  it("RT12 keeps the threads of child runs out of the list until the owner writes in them", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const child = await createRun(ownerId, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    expect(idsOf(await store.threads.list(ownerId, { limit: 10 }))).toEqual([parent.threadId]);
    expect(await store.threads.get(ownerId, child.threadId)).toBeUndefined();
    await expect(store.threads.delete(ownerId, child.threadId)).rejects.toMatchObject({
      code: "not_found",
    });
    const { threadId } = child;
    await createRun(ownerId, { title: "continued", input: { prompt: "x", threadId } });
    expect(await store.threads.get(ownerId, threadId)).toMatchObject({
      title: "continued",
      runCount: 2,
    });
  });
}
