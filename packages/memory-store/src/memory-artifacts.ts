import { sha256, type Artifacts } from "@bron/core";
import { putBlob } from "./memory-blobs.ts";
import { requireRoom } from "./memory-room.ts";
import { findRun, keyOf, type MemoryState } from "./memory-state.ts";

export function memoryArtifacts(state: MemoryState): Artifacts {
  const { blobs, uuid } = state;
  return {
    async put({ ownerId, runId, bytes }) {
      const digest = await sha256(new Uint8Array(bytes));
      requireRoom(state, { bytes: bytes.length });
      putBlob(state, ownerId, { digest, bytes });
      findRun(state, ownerId, runId)?.storedDigests.add(digest);
      return { artifactId: uuid(), digest, sizeBytes: bytes.length };
    },
    list: async (ownerId, runId) => findRun(state, ownerId, runId)?.artifacts ?? [],
    read: async (ownerId, digest) => blobs.get(keyOf(ownerId, digest)),
    async open(ownerId, digest) {
      const bytes = blobs.get(keyOf(ownerId, digest));
      return bytes && { sizeBytes: bytes.length, chunks: [bytes] };
    },
  };
}
