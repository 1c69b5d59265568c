import { BronError, requestError, type UploadQuota, type Uploads } from "@bron/core";
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
      if (found.view.digest !== null) throw requestError("conflict", { code: "upload_done" });
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
      throw requestError("not_found", { code: "upload_missing", uploadId: view.id });
    if (view.runId !== null) throw alreadyAttached(view);
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
  if (digest === null) throw requestError("conflict", { code: "upload_pending" });
  if (taken === runId) return found.view;
  if (taken !== null) throw alreadyAttached(found.view);
  const run = findRun(state, ownerId, runId);
  if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
  const payload = fileOf(state, found.view, digest);
  if (!appendAndWake(state, run, [{ type: "artifact", payload }]))
    throw requestError("conflict", { code: "attached_too_late" });
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
  const bytesOf = (some: readonly MemoryUpload[]) =>
    some.reduce((sum, { view }) => sum + view.sizeBytes, 0);
  const usedBytes = bytesOf(waiting.filter((upload) => upload.ownerId === ownerId));
  if (ownerBytes > 0 && usedBytes + sizeBytes > ownerBytes)
    throw requestError("upload_quota", { code: "quota_used", usedBytes, limitBytes: ownerBytes });
  if (allBytes > 0 && bytesOf(waiting) + sizeBytes > allBytes)
    throw requestError("upload_quota", { code: "quota_used_by_all" });
}

function alreadyAttached({ filename }: UploadView): BronError {
  return requestError("conflict", { code: "upload_attached", filename });
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
  if (!found) throw requestError("not_found", { code: "upload_missing", uploadId });
  return found;
}

const fileOf = (
  { uuid }: MemoryState,
  { filename: name, contentType: mediaType, sizeBytes }: UploadView,
  digest: string,
) => ({ artifactId: uuid(), kind: uploadKind, name, mediaType, digest, sizeBytes });
