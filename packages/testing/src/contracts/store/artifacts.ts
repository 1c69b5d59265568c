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
}
