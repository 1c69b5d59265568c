import { keyOf, runsOf, type MemoryState } from "./memory-state.ts";

/** Stores bytes under their digest. The caller has made room for them. */
export function putBlob(
  state: MemoryState,
  ownerId: string,
  { digest, bytes }: { readonly digest: string; readonly bytes: Uint8Array },
): void {
  const key = keyOf(ownerId, digest);
  if (state.blobs.has(key)) return;
  state.blobs.set(key, new Uint8Array(bytes));
  state.bytes += bytes.length;
}

/** Removes those of the bytes that neither a run nor an upload of the owner needs. */
export function removeUnusedBlobs(
  state: MemoryState,
  ownerId: string,
  digests: readonly string[],
): void {
  if (digests.length === 0) return;
  const used = new Set<string | null>(
    [...state.uploads.values()]
      .filter((upload) => upload.ownerId === ownerId)
      .map(({ view }) => view.digest),
  );
  for (const { artifacts, storedDigests } of runsOf(state, ownerId)) {
    for (const { digest } of artifacts) used.add(digest);
    for (const digest of storedDigests) used.add(digest);
  }
  for (const digest of digests) {
    const key = keyOf(ownerId, digest);
    const bytes = state.blobs.get(key);
    if (!bytes || used.has(digest)) continue;
    state.blobs.delete(key);
    state.bytes -= bytes.length;
  }
}
