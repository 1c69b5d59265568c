import type { Projection, WrittenThingsPort } from "@bron/core";
import type { Writer } from "@bron/protocol";
import { keyOf, type MemoryState } from "./memory-state.ts";

/** As in the database, entries stay when their run is deleted. The oldest make room for new ones. */
export function memoryWritten({ written }: MemoryState): WrittenThingsPort {
  return {
    async writersOf(ownerId, { kind, id }) {
      return [...(written.get(keyOf(ownerId, kind, id)) ?? [])].map(([runId, trusted]): Writer => ({
        runId,
        trusted,
      }));
    },
  };
}

/** Once a run wrote a thing after reading text of others, it stays untrusted. */
export function recordWritten(
  { written, limits }: MemoryState,
  { ownerId, id: runId }: { readonly ownerId: string; readonly id: string },
  rows: Projection["written"],
): void {
  for (const { kind, id, trusted } of rows) {
    const key = keyOf(ownerId, kind, id);
    const writers = written.get(key) ?? new Map<string, boolean>();
    written.set(key, writers.set(runId, trusted && writers.get(runId) !== false));
  }
  for (const key of written.keys()) {
    if (written.size <= limits.maxUsedKeys) return;
    written.delete(key);
  }
}
