import { BronError, type Uploads } from "@bron/core";
import { uploadKind, type EventPayloads, type NewEvent, type UploadView } from "@bron/protocol";

interface MemoryUpload {
  readonly ownerId: string;
  view: UploadView;
  readonly expiresAt: number;
}

interface MemoryUploadsDeps {
  readonly now: () => number;
  readonly uuid: () => string;
  readonly keepBytes: (ownerId: string, digest: string, bytes: Uint8Array) => void;
  /** Returns undefined if the run does not exist, and false if it has finished. */
  readonly append: (ownerId: string, runId: string, event: NewEvent) => boolean | undefined;
}

export interface MemoryUploads extends Uploads {
  /** Returns the files for a run that is about to be created. `take` assigns them to it. */
  claim(
    ownerId: string,
    uploadIds: readonly string[],
  ): { readonly files: EventPayloads["artifact"][]; take(runId: string): void };
}

export function createMemoryUploads({
  now,
  uuid,
  keepBytes,
  append,
}: MemoryUploadsDeps): MemoryUploads {
  const uploads = new Map<string, MemoryUpload>();
  const find = (ownerId: string, uploadId: string) => {
    const found = uploads.get(uploadId);
    return found?.ownerId === ownerId ? found : undefined;
  };
  const known = (ownerId: string, uploadId: string) => {
    const found = find(ownerId, uploadId);
    if (!found) throw new BronError("not_found", `Upload ${uploadId} not found.`);
    return found;
  };
  const fileOf = (
    { filename: name, contentType: mediaType, sizeBytes }: UploadView,
    digest: string,
  ) => ({ artifactId: uuid(), kind: uploadKind, name, mediaType, digest, sizeBytes });
  return {
    async create(ownerId, { ttlMs, quota = { ownerBytes: 0, allBytes: 0 }, ...file }) {
      const waiting = [...uploads.values()].filter(
        ({ view, expiresAt }) => view.runId === null && (view.digest !== null || expiresAt > now()),
      );
      const bytesOf = (some: readonly MemoryUpload[]) =>
        some.reduce((sum, { view }) => sum + view.sizeBytes, file.sizeBytes);
      const exceeds = (maxBytes: number, some: readonly MemoryUpload[]) =>
        maxBytes > 0 && bytesOf(some) > maxBytes;
      if (
        exceeds(
          quota.ownerBytes,
          waiting.filter((upload) => upload.ownerId === ownerId),
        ) ||
        exceeds(quota.allBytes, waiting)
      )
        throw new BronError("upload_quota", "There is no space left for this file.");
      const view: UploadView = {
        id: uuid(),
        runId: null,
        ...file,
        digest: null,
        createdAt: new Date(now()).toISOString(),
      };
      uploads.set(view.id, { ownerId, view, expiresAt: now() + ttlMs });
      return { upload: view, expiresAt: new Date(now() + ttlMs).toISOString() };
    },
    get: async (ownerId, uploadId) => find(ownerId, uploadId)?.view,
    async getPending(ownerId, uploadId) {
      const found = find(ownerId, uploadId);
      return found?.view.digest === null && found.expiresAt > now() ? found.view : undefined;
    },
    async storeContent(ownerId, uploadId, { digest, bytes }) {
      const found = known(ownerId, uploadId);
      if (found.view.digest !== null)
        throw new BronError("conflict", "This file was already uploaded.");
      keepBytes(ownerId, digest, bytes);
      found.view = { ...found.view, digest };
      return found.view;
    },
    async attach(ownerId, uploadId, runId) {
      const found = known(ownerId, uploadId);
      const { digest, runId: taken } = found.view;
      if (digest === null) throw new BronError("conflict", "This file has not been uploaded yet.");
      if (taken === runId) return found.view;
      if (taken !== null) throw new BronError("conflict", "This file belongs to another run.");
      const appended = append(ownerId, runId, {
        type: "artifact",
        payload: fileOf(found.view, digest),
      });
      if (appended === undefined) throw new BronError("not_found", `Run ${runId} not found.`);
      if (!appended) throw new BronError("conflict", "This run has finished.");
      found.view = { ...found.view, runId };
      return found.view;
    },
    async removeUnattached(olderThanMs) {
      const old = [...uploads.values()].filter(
        ({ view }) => view.runId === null && Date.parse(view.createdAt) < now() - olderThanMs,
      );
      for (const { view } of old) uploads.delete(view.id);
      return old.length;
    },
    claim(ownerId, uploadIds) {
      const claimed = [...new Set(uploadIds)].map((id) => known(ownerId, id));
      const files = claimed.map(({ view }) => {
        if (view.digest === null)
          throw new BronError(
            "not_found",
            `Upload ${view.id} not found, or its file was never uploaded.`,
          );
        if (view.runId !== null)
          throw new BronError("conflict", "This file belongs to another run.");
        return fileOf(view, view.digest);
      });
      return {
        files,
        take(runId) {
          for (const upload of claimed) upload.view = { ...upload.view, runId };
        },
      };
    },
  };
}
