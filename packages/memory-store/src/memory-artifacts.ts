import { sha256, type Artifacts } from "@bron/core";
import { blobKey, findRun, type MemoryState } from "./memory-state.ts";

export function memoryArtifacts(state: MemoryState): Artifacts {
  const { blobs, uuid } = state;
  return {
    async put({ ownerId, bytes }) {
      const digest = await sha256(new Uint8Array(bytes));
      blobs.set(blobKey(ownerId, digest), new Uint8Array(bytes));
      return { artifactId: uuid(), digest, sizeBytes: bytes.length };
    },
    list: async (ownerId, runId) => findRun(state, ownerId, runId)?.artifacts ?? [],
    read: async (ownerId, digest) => blobs.get(blobKey(ownerId, digest)),
    async open(ownerId, digest) {
      const bytes = blobs.get(blobKey(ownerId, digest));
      return bytes && { sizeBytes: bytes.length, chunks: [bytes] };
    },
  };
}
