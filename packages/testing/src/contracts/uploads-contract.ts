import { randomUUID } from "node:crypto";
import { sha256 } from "@bron/core";
import { describe, expect, it } from "vitest";
import {
  appendOf,
  freshOwner,
  openStoreHarness,
  type StoreUnderTest,
} from "./store/store-harness.ts";

const dayMs = 86_400_000;

/** The contract of every store for uploaded files. */
export function uploadsContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`uploads contract: ${name}`, () => {
    const { store, under, createRun, claim } = openStoreHarness(open);
    const announce = async (ownerId: string, ttlMs = 60_000) =>
      (
        await store.uploads.create(ownerId, {
          filename: "a.txt",
          contentType: "text/plain",
          sizeBytes: 3,
          ttlMs,
        })
      ).upload;
    const fileOf = async (text: string) => {
      const bytes = new TextEncoder().encode(text);
      return { bytes, digest: await sha256(bytes) };
    };
    const uploaded = async (ownerId: string, text = "abc") =>
      await store.uploads.storeContent(ownerId, (await announce(ownerId)).id, await fileOf(text));
    const end = async (ownerId: string, runId: string) => {
      const { lease, lastSeq } = await claim(runId);
      await store.log.append(
        appendOf(lease, lastSeq, [{ type: "status", payload: { status: "completed" } }], {
          release: "end",
        }),
      );
      expect((await store.runs.get(ownerId, runId))?.status).toBe("completed");
    };
    const typesOf = async (ownerId: string, runId: string) =>
      (await store.runs.events(ownerId, runId, 0)).map(({ type }) => type);

    it("BR9 stores an announced upload without bytes, then with them, once", async () => {
      const ownerId = freshOwner();
      const upload = await announce(ownerId);
      expect(upload).toMatchObject({
        runId: null,
        filename: "a.txt",
        contentType: "text/plain",
        sizeBytes: 3,
        digest: null,
      });
      expect(await store.uploads.getPending(ownerId, upload.id)).toEqual(upload);
      const file = await fileOf("abc");
      expect(await store.uploads.storeContent(ownerId, upload.id, file)).toEqual({
        ...upload,
        digest: file.digest,
      });
      expect(await store.uploads.get(ownerId, upload.id)).toEqual({
        ...upload,
        digest: file.digest,
      });
      expect(await store.uploads.getPending(ownerId, upload.id)).toBeUndefined();
      expect(await store.artifacts.read(ownerId, file.digest)).toEqual(file.bytes);
      await expect(
        store.uploads.storeContent(ownerId, upload.id, await fileOf("xyz")),
      ).rejects.toMatchObject({ code: "conflict", details: { why: { code: "upload_done" } } });
    });

    it("BR9 accepts the bytes of exactly one of many concurrent uploads", async () => {
      const ownerId = freshOwner();
      const { id } = await announce(ownerId);
      const files = await Promise.all(["one", "two", "six", "ten"].map(fileOf));
      const results = await Promise.allSettled(
        files.map((file) => store.uploads.storeContent(ownerId, id, file)),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const result of results)
        if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict" });
    });

    it("BR9 accepts bytes only until the upload expires", async () => {
      const ownerId = freshOwner();
      const { id } = await announce(ownerId, 60_000);
      await under.passTime(61_000);
      expect(await store.uploads.getPending(ownerId, id)).toBeUndefined();
      expect(await store.uploads.get(ownerId, id)).toMatchObject({ id, digest: null });
    });

    it("BR9 enforces the quota under concurrency, and attached or expired uploads free space", async () => {
      const [ownerId, stranger] = [freshOwner(), freshOwner()];
      const quota = { ownerBytes: 10, allBytes: 0 };
      const announceIn = (owner: string, sizeBytes: number, ttlMs = 60_000, limits = quota) =>
        store.uploads
          .create(owner, {
            filename: "a.txt",
            contentType: "text/plain",
            sizeBytes,
            ttlMs,
            quota: limits,
          })
          .then(
            ({ upload }) => upload,
            (error: { code?: string }) => error.code,
          );
      const results = await Promise.all(Array.from({ length: 6 }, () => announceIn(ownerId, 3)));
      expect(results.filter((result) => result === "upload_quota")).toHaveLength(3);
      expect(await announceIn(stranger, 10)).toMatchObject({ sizeBytes: 10 });
      const first = results.find((result) => typeof result === "object");
      await store.uploads.storeContent(ownerId, first?.id ?? "", await fileOf("abc"));
      expect(await announceIn(ownerId, 3)).toBe("upload_quota");
      await createRun(ownerId, { input: { prompt: "x", uploadIds: [first?.id ?? ""] } });
      expect(await announceIn(ownerId, 3, 30_000)).toMatchObject({ sizeBytes: 3 });
      await under.passTime(31_000);
      expect(await announceIn(ownerId, 3)).toMatchObject({ sizeBytes: 3 });
      expect(await announceIn(freshOwner(), 3, 60_000, { ownerBytes: 0, allBytes: 12 })).toBe(
        "upload_quota",
      );
    });

    it("BR9 removes old uploads that were never attached", async () => {
      const ownerId = freshOwner();
      const [old, attached] = [await announce(ownerId), await uploaded(ownerId)];
      await createRun(ownerId, { input: { prompt: "x", uploadIds: [attached.id] } });
      await under.passTime(dayMs + 1_000);
      const fresh = await announce(ownerId);
      while ((await store.uploads.removeUnattached(dayMs)) > 0);
      expect(await store.uploads.get(ownerId, old.id)).toBeUndefined();
      for (const { id } of [attached, fresh])
        expect(await store.uploads.get(ownerId, id)).toBeDefined();
    });

    it("BR9 BR8 streams stored bytes", async () => {
      const ownerId = freshOwner();
      await announce(ownerId);
      const bytes = Uint8Array.from({ length: 2_500_000 }, (_, at) => (at * 7 + (at >> 8)) % 256);
      const { digest } = await store.artifacts.put({
        ownerId,
        runId: randomUUID(),
        kind: "file",
        name: "a",
        mediaType: "text/plain",
        bytes,
      });
      const opened = await store.artifacts.open(ownerId, digest);
      const chunks: Uint8Array[] = [];
      for await (const chunk of opened?.chunks ?? []) chunks.push(chunk);
      expect([opened?.sizeBytes, Buffer.concat(chunks).equals(bytes)]).toEqual([
        bytes.length,
        true,
      ]);
      expect(await store.artifacts.open(freshOwner(), digest)).toBeUndefined();
    });

    it("BR9 BR8 attaches uploads to a new run in the transaction that creates it, right after its task", async () => {
      const ownerId = freshOwner();
      const [one, other] = [await uploaded(ownerId, "one"), await uploaded(ownerId, "two")];
      const run = await createRun(ownerId, {
        input: { prompt: "read it", uploadIds: [other.id, one.id, other.id] },
      });
      expect(run.lastSeq).toBe(4);
      expect(await typesOf(ownerId, run.id)).toEqual(["status", "message", "artifact", "artifact"]);
      const events = await store.runs.events(ownerId, run.id, 2);
      expect(events.map(({ payload }) => payload)).toMatchObject(
        [other, one].map(({ digest }) => ({
          kind: "upload",
          name: "a.txt",
          mediaType: "text/plain",
          digest,
          sizeBytes: 3,
        })),
      );
      expect(
        (await store.artifacts.list(ownerId, run.id))
          .map(({ digest, kind }) => `${kind} ${digest}`)
          .toSorted(),
      ).toEqual([one, other].map(({ digest }) => `upload ${digest ?? ""}`).toSorted());
      expect((await store.uploads.get(ownerId, one.id))?.runId).toBe(run.id);
    });

    it("BR9 RT12 creates no run with an upload of another owner or without bytes", async () => {
      const [ownerId, stranger] = [freshOwner(), freshOwner()];
      const [mine, empty] = [await uploaded(ownerId), await announce(ownerId)];
      const theirs = await uploaded(stranger);
      for (const uploadIds of [[theirs.id], [mine.id, theirs.id], [empty.id], [randomUUID()]])
        await expect(
          createRun(ownerId, { input: { prompt: "x", uploadIds } }),
        ).rejects.toMatchObject({ code: "not_found" });
      expect(await store.runs.list(ownerId, {})).toEqual([]);
      expect((await store.uploads.get(ownerId, mine.id))?.runId).toBeNull();
      expect(await store.uploads.get(ownerId, theirs.id)).toBeUndefined();
      expect(await store.uploads.getPending(stranger, empty.id)).toBeUndefined();
      await expect(
        store.uploads.storeContent(stranger, empty.id, await fileOf("abc")),
      ).rejects.toMatchObject({ code: "not_found" });
      await expect(store.uploads.attach(stranger, mine.id, randomUUID())).rejects.toMatchObject({
        code: "not_found",
      });
    });

    it("BR9 attaches an upload to one run under concurrency, and the same key returns the same run", async () => {
      const ownerId = freshOwner();
      const { id } = await uploaded(ownerId);
      const input = { prompt: "read it", uploadIds: [id] };
      const runs = await Promise.all(
        Array.from({ length: 6 }, () => createRun(ownerId, { input, idempotencyKey: "k" })),
      );
      expect(new Set(runs.map((run) => run.id)).size).toBe(1);
      await expect(createRun(ownerId, { input })).rejects.toMatchObject({ code: "conflict" });
      const next = await uploaded(ownerId);
      const results = await Promise.allSettled(
        Array.from({ length: 6 }, () =>
          createRun(ownerId, { input: { prompt: "x", uploadIds: [next.id] } }),
        ),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await store.runs.list(ownerId, {})).toHaveLength(2);
    });

    it("BR9 attaches an upload to an active run once, and wakes it", async () => {
      const ownerId = freshOwner();
      const [upload, empty, run] = [
        await uploaded(ownerId),
        await announce(ownerId),
        await createRun(ownerId),
      ];
      await expect(store.uploads.attach(ownerId, empty.id, run.id)).rejects.toMatchObject({
        code: "conflict",
        details: { why: { code: "upload_pending" } },
      });
      await expect(store.uploads.attach(ownerId, upload.id, randomUUID())).rejects.toMatchObject({
        code: "not_found",
      });
      for (let times = 0; times < 2; times++)
        expect(await store.uploads.attach(ownerId, upload.id, run.id)).toMatchObject({
          id: upload.id,
          runId: run.id,
        });
      expect(await typesOf(ownerId, run.id)).toEqual(["status", "message", "artifact"]);
      expect(await store.artifacts.list(ownerId, run.id)).toMatchObject([
        { kind: "upload", digest: upload.digest },
      ]);
      await expect.poll(() => under.wakes.filter(({ runId }) => runId === run.id).length).toBe(2);
      const other = await createRun(ownerId);
      await expect(store.uploads.attach(ownerId, upload.id, other.id)).rejects.toMatchObject({
        code: "conflict",
        details: { why: { code: "upload_attached", filename: upload.filename } },
      });
    });

    it("BR9 RT12 attaches nothing to a finished run or another owner's run", async () => {
      const [ownerId, stranger] = [freshOwner(), freshOwner()];
      const [upload, run, theirs] = [
        await uploaded(ownerId),
        await createRun(ownerId),
        await createRun(stranger),
      ];
      await end(ownerId, run.id);
      await expect(store.uploads.attach(ownerId, upload.id, run.id)).rejects.toMatchObject({
        code: "conflict",
        details: { why: { code: "attached_too_late" } },
      });
      await expect(store.uploads.attach(ownerId, upload.id, theirs.id)).rejects.toMatchObject({
        code: "not_found",
      });
      expect((await store.uploads.get(ownerId, upload.id))?.runId).toBeNull();
      expect(await store.artifacts.list(ownerId, run.id)).toEqual([]);
    });

    it("BR9 gives a retry the files of the original run", async () => {
      const ownerId = freshOwner();
      const { id, digest } = await uploaded(ownerId);
      const first = await createRun(ownerId, { input: { prompt: "read it", uploadIds: [id] } });
      await end(ownerId, first.id);
      const again = await createRun(ownerId, {
        input: { prompt: "read it", threadId: first.threadId },
        retry: { runId: first.id, notDone: [] },
      });
      expect(await typesOf(ownerId, again.id)).toEqual(["status", "message", "artifact"]);
      expect(await store.artifacts.list(ownerId, again.id)).toMatchObject([
        { kind: "upload", name: "a.txt", digest },
      ]);
      expect(await store.artifacts.list(ownerId, first.id)).toHaveLength(1);
    });
  });
}
