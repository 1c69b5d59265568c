import { sha256 } from "@bron/core";
import type { NewEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

const hourMs = 3_600_000;

export function testThreadDeletion(harness: StoreHarness): void {
  const { claim, create, createRun, parkedRun, store, under } = harness;

  const end = async (runId: string, events: readonly NewEvent[] = []) => {
    const { lease, lastSeq } = await claim(runId);
    const ended = { type: "status" as const, payload: { status: "completed" as const } };
    await store.log.append(appendOf(lease, lastSeq, [...events, ended], { release: "end" }));
  };
  const upload = async (ownerId: string, text: string) => {
    const bytes = new TextEncoder().encode(text);
    const { upload: pending } = await store.uploads.create(ownerId, {
      filename: "a.txt",
      contentType: "text/plain",
      sizeBytes: bytes.length,
      ttlMs: hourMs,
    });
    const digest = await sha256(bytes);
    await store.uploads.storeContent(ownerId, pending.id, { bytes, digest });
    return { id: pending.id, digest };
  };
  const keepOutput = async (ownerId: string, runId: string) => {
    const about = { kind: "tool_output", name: "read.txt", mediaType: "text/plain" };
    const bytes = new TextEncoder().encode(`output ${runId}`);
    const stored = await store.artifacts.put({ ownerId, runId, ...about, bytes });
    return { type: "artifact" as const, payload: { ...about, ...stored } };
  };
  const removeFiles = async () => {
    await under.passTime(2 * hourMs);
    while ((await store.uploads.removeUnattached(24 * hourMs)) > 0);
  };

  it("RT12 deletes a thread with its runs, logs, messages and unused files, and keeps the audit log", async () => {
    const ownerId = freshOwner();
    const [own, shared, sharedAgain] = [
      await upload(ownerId, `own ${ownerId}`),
      await upload(ownerId, `shared ${ownerId}`),
      await upload(ownerId, `shared ${ownerId}`),
    ];
    const { run, effectId, approvalId, digest } = await parkedRun(ownerId);
    const { threadId } = run;
    const withFiles = await createRun(ownerId, {
      input: { prompt: "x", threadId, uploadIds: [own.id, shared.id] },
    });
    const other = await createRun(ownerId, {
      input: { prompt: "y", uploadIds: [sharedAgain.id] },
    });
    await store.approvals.decide({ ownerId, approvalId, digest, approved: false });
    await end(run.id);
    const output = await keepOutput(ownerId, withFiles.id);
    await end(withFiles.id, [output]);
    const entries = await store.audit.list(ownerId, { runId: run.id });
    expect(entries.length).toBeGreaterThan(0);
    await store.threads.delete(ownerId, threadId);
    expect(await store.threads.get(ownerId, threadId)).toBeUndefined();
    expect(await store.runs.get(ownerId, run.id)).toBeUndefined();
    for (const list of [
      await store.runs.events(ownerId, run.id, 0),
      await store.runs.actions(ownerId, run.id),
      await store.runs.effects(ownerId, run.id),
      await store.approvals.list(ownerId, { runId: run.id }),
      await store.artifacts.list(ownerId, withFiles.id),
      await store.runs.list(ownerId, { threadId }),
    ])
      expect(list).toEqual([]);
    expect(await store.effects.get(ownerId, effectId)).toBeUndefined();
    expect(await store.uploads.get(ownerId, own.id)).toBeUndefined();
    expect(await store.audit.list(ownerId, { runId: run.id })).toEqual(entries);
    expect(await store.audit.list(ownerId, { what: "thread.deleted" })).toMatchObject([
      { by: "owner", details: { threadId, bronId: run.bronId, runs: 2 } },
    ]);
    await removeFiles();
    expect(await store.artifacts.read(ownerId, own.digest)).toBeUndefined();
    expect(await store.artifacts.read(ownerId, output.payload.digest)).toBeUndefined();
    expect(await store.artifacts.read(ownerId, shared.digest)).toBeDefined();
    expect(await store.threads.get(ownerId, other.threadId)).toMatchObject({ runCount: 1 });
    await expect(createRun(ownerId, { input: { prompt: "x", threadId } })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(store.threads.delete(ownerId, threadId)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("RT12 deletes no thread while one of its runs or child runs is under way", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const child = await createRun(ownerId, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    const conflict = async (runIds: readonly string[]) =>
      await expect(store.threads.delete(ownerId, parent.threadId)).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining("Stop it first"),
        details: { runIds: expect.arrayContaining([...runIds]) },
      });
    await conflict([parent.id, child.id]);
    await end(parent.id);
    await conflict([child.id]);
    expect(await store.runs.get(ownerId, child.id)).toBeDefined();
    await end(child.id);
    await store.threads.delete(ownerId, parent.threadId);
    for (const { id } of [parent, child]) expect(await store.runs.get(ownerId, id)).toBeUndefined();
    expect(await store.threads.list(ownerId, { limit: 10 })).toEqual([]);
  });

  it("RT12 keeps the thread of a child run in which the owner has written", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const child = await createRun(ownerId, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    await end(child.id);
    // The parent run still needs the child run.
    const { threadId } = child;
    const continued = await createRun(ownerId, { input: { prompt: "x", threadId } });
    await end(continued.id);
    await expect(store.threads.delete(ownerId, threadId)).rejects.toMatchObject({
      code: "conflict",
    });
    await end(parent.id);
    await store.threads.delete(ownerId, parent.threadId);
    expect(await store.runs.get(ownerId, child.id)).toBeUndefined();
    expect(await store.threads.get(ownerId, threadId)).toMatchObject({ runCount: 1 });
    await store.threads.delete(ownerId, threadId);
    expect(await store.threads.list(ownerId, { limit: 10 })).toEqual([]);
  });

  it("RT12 leaves no run without a thread when a run is created while its thread is deleted", async () => {
    for (let round = 0; round < 10; round++) {
      const ownerId = freshOwner();
      const first = await createRun(ownerId);
      await end(first.id);
      const { threadId } = first;
      const input = { prompt: "more", threadId };
      const [deleted, ...created] = await Promise.allSettled([
        store.threads.delete(ownerId, threadId),
        create(ownerId, { input }),
        create(ownerId, { input, retry: { runId: first.id, notDone: [] } }),
      ]);
      const runs = created.flatMap((result) =>
        result.status === "fulfilled" ? [result.value.run] : [],
      );
      const rejections = created.flatMap((result) =>
        result.status === "rejected" ? [result.reason as { code: string }] : [],
      );
      const thread = await store.threads.get(ownerId, threadId);
      const stored = await store.runs.list(ownerId, {});
      if (deleted.status === "fulfilled") {
        expect([thread, stored, runs]).toEqual([undefined, [], []]);
        expect(rejections.map(({ code }) => code)).toEqual(["not_found", "not_found"]);
      } else {
        expect(deleted.reason).toMatchObject({ code: "conflict" });
        expect(thread).toMatchObject({ runCount: stored.length });
        expect(stored).toHaveLength(3);
      }
    }
  });
}
