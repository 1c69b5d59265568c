import { sha256 } from "@bron/core";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testArtifacts({ claim, createRun, store }: StoreHarness): void {
  it("stores bytes once per owner under their digest, visible with their event", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    const bytes = new TextEncoder().encode("report");
    const artifact = {
      ownerId,
      runId: run.id,
      kind: "extracted_json",
      name: "r.json",
      mediaType: "application/json",
      bytes,
    };
    const [one, two] = [await store.artifacts.put(artifact), await store.artifacts.put(artifact)];
    expect(one.digest).toBe(two.digest);
    expect(await store.artifacts.list(ownerId, run.id)).toEqual([]);
    const { lease } = await claim(run.id);
    await store.log.append(
      appendOf(lease, 2, [
        {
          type: "artifact",
          payload: {
            ...one,
            kind: artifact.kind,
            name: artifact.name,
            mediaType: artifact.mediaType,
          },
        },
      ]),
    );
    expect(await store.artifacts.list(ownerId, run.id)).toMatchObject([
      { kind: "extracted_json", digest: one.digest, sizeBytes: 6 },
    ]);
    expect(await store.artifacts.read(ownerId, one.digest)).toEqual(bytes);
    expect(await store.artifacts.read(freshOwner(), one.digest)).toBeUndefined();
  });

  it("lists the files of a run in the order of its log, also those of one append", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    const about = { kind: "note", mediaType: "text/plain" };
    const fileEvent = async (name: string) => {
      const bytes = new TextEncoder().encode(name);
      const stored = await store.artifacts.put({ ownerId, runId: run.id, ...about, name, bytes });
      return { type: "artifact" as const, payload: { ...about, ...stored, name } };
    };
    const names = Array.from({ length: 12 }, (_, index) => `file ${index}`);
    const events = await Promise.all(names.map(fileEvent));
    const { lease } = await claim(run.id);
    await store.log.append(appendOf(lease, 2, events.slice(0, 10)));
    await store.log.append(appendOf(lease, 12, events.slice(10)));
    const listed = await store.artifacts.list(ownerId, run.id);
    expect(listed.map(({ name }) => name)).toEqual(names);
  });

  it("lists attached files in the order of the request, in a retry too", async () => {
    const ownerId = freshOwner();
    const uploadIds: string[] = [];
    const names = Array.from({ length: 6 }, (_, index) => `file ${index}.txt`);
    for (const filename of names) {
      const bytes = new TextEncoder().encode(filename);
      const pending = { filename, contentType: "text/plain", sizeBytes: bytes.length };
      const { upload } = await store.uploads.create(ownerId, { ...pending, ttlMs: 3_600_000 });
      const digest = await sha256(bytes);
      await store.uploads.storeContent(ownerId, upload.id, { bytes, digest });
      uploadIds.push(upload.id);
    }
    const first = await createRun(ownerId, { input: { prompt: "x", uploadIds } });
    const again = await createRun(ownerId, { retry: { runId: first.id, notDone: [] } });
    for (const { id } of [first, again]) {
      const listed = await store.artifacts.list(ownerId, id);
      expect(listed.map(({ name }) => name)).toEqual(names);
    }
  });
}
