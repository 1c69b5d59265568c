import { BronError, type UploadQuota, type Uploads } from "@bron/core";
import { uploadKind, type EventPayloads, type UploadView } from "@bron/protocol";
import { appendAndWake } from "./memory-appends.ts";
import { putBlob, removeUnusedBlobs } from "./memory-blobs.ts";
import { requireRoom } from "./memory-room.ts";
import { findRun, stamp, type MemoryState, type MemoryUpload } from "./memory-state.ts";

export function memoryUploads(state: MemoryState): Uploads {
  const { now, uuid, uploads } = state;
  return {
    async create(ownerId, { ttlMs, quota, ...file }) {
      if (quota) checkQuota(state, ownerId, quota, file.sizeBytes);
      const view: UploadView = {
        id: uuid(),
        runId: null,
        ...file,
        digest: null,
        createdAt: stamp(state),
      };
      uploads.set(view.id, { ownerId, view, expiresAt: now() + ttlMs });
      return { upload: view, expiresAt: new Date(now() + ttlMs).toISOString() };
    },
    get: async (ownerId, uploadId) => find(state, ownerId, uploadId)?.view,
    async getPending(ownerId, uploadId) {
      const found = find(state, ownerId, uploadId);
      return found?.view.digest === null && found.expiresAt > now() ? found.view : undefined;
    },
    async storeContent(ownerId, uploadId, { digest, bytes }) {
      const found = requireUpload(state, ownerId, uploadId);
      if (found.view.digest !== null)
        throw new BronError("conflict", "This file was already uploaded.");
      requireRoom(state, { bytes: bytes.length });
      putBlob(state, ownerId, { digest, bytes });
      found.view = { ...found.view, digest };
      return found.view;
    },
    attach: async (ownerId, uploadId, runId) => attach(state, ownerId, uploadId, runId),
    async removeUnattached(olderThanMs) {
      const old = [...uploads.values()].filter(
        ({ view }) => view.runId === null && Date.parse(view.createdAt) < now() - olderThanMs,
      );
      for (const { view } of old) uploads.delete(view.id);
      for (const { ownerId, view } of old)
        removeUnusedBlobs(state, ownerId, view.digest === null ? [] : [view.digest]);
      return old.length;
    },
  };
}

/** Returns the files for a run that is about to be created. `take` assigns them to it. */
export function claimUploads(
  state: MemoryState,
  ownerId: string,
  uploadIds: readonly string[],
): { readonly files: EventPayloads["artifact"][]; take(runId: string): void } {
  const claimed = [...new Set(uploadIds)].map((id) => requireUpload(state, ownerId, id));
  const files = claimed.map(({ view }) => {
    if (view.digest === null)
      throw new BronError(
        "not_found",
        `Upload ${view.id} not found, or its file was never uploaded.`,
      );
    if (view.runId !== null) throw new BronError("conflict", "This file belongs to another run.");
    return fileOf(state, view, view.digest);
  });
  return {
    files,
    take(runId) {
      for (const upload of claimed) upload.view = { ...upload.view, runId };
    },
  };
}

function attach(state: MemoryState, ownerId: string, uploadId: string, runId: string): UploadView {
  const found = requireUpload(state, ownerId, uploadId);
  const { digest, runId: taken } = found.view;
  if (digest === null) throw new BronError("conflict", "This file has not been uploaded yet.");
  if (taken === runId) return found.view;
  if (taken !== null) throw new BronError("conflict", "This file belongs to another run.");
  const run = findRun(state, ownerId, runId);
  if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
  const payload = fileOf(state, found.view, digest);
  if (!appendAndWake(state, run, [{ type: "artifact", payload }]))
    throw new BronError("conflict", "This run has finished.");
  found.view = { ...found.view, runId };
  return found.view;
}

function checkQuota(
  { now, uploads }: MemoryState,
  ownerId: string,
  { ownerBytes, allBytes }: UploadQuota,
  sizeBytes: number,
): void {
  const waiting = [...uploads.values()].filter(
    ({ view, expiresAt }) => view.runId === null && (view.digest !== null || expiresAt > now()),
  );
  const exceeds = (maxBytes: number, some: readonly MemoryUpload[]) =>
    maxBytes > 0 && some.reduce((sum, { view }) => sum + view.sizeBytes, sizeBytes) > maxBytes;
  const waitingOfOwner = waiting.filter((upload) => upload.ownerId === ownerId);
  if (exceeds(ownerBytes, waitingOfOwner) || exceeds(allBytes, waiting))
    throw new BronError("upload_quota", "There is no space left for this file.");
}

function find(
  { uploads }: MemoryState,
  ownerId: string,
  uploadId: string,
): MemoryUpload | undefined {
  const found = uploads.get(uploadId);
  return found?.ownerId === ownerId ? found : undefined;
}

function requireUpload(state: MemoryState, ownerId: string, uploadId: string): MemoryUpload {
  const found = find(state, ownerId, uploadId);
  if (!found) throw new BronError("not_found", `Upload ${uploadId} not found.`);
  return found;
}

const fileOf = (
  { uuid }: MemoryState,
  { filename: name, contentType: mediaType, sizeBytes }: UploadView,
  digest: string,
) => ({ artifactId: uuid(), kind: uploadKind, name, mediaType, digest, sizeBytes });
