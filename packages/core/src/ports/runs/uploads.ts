import type { FileReason, UploadView } from "@bron/protocol";

/** Limits for bytes of files that are not attached to a run yet. 0 means no limit. */
export interface UploadQuota {
  readonly ownerBytes: number;
  readonly allBytes: number;
}

export interface Uploads {
  /**
   * Bytes are accepted until `expiresAt`, by the database's clock. Throws upload_quota if the file
   * does not fit beside the pending uploads.
   */
  create(
    ownerId: string,
    upload: {
      readonly filename: string;
      readonly contentType: string;
      readonly sizeBytes: number;
      readonly ttlMs: number;
      readonly quota?: UploadQuota;
    },
  ): Promise<{ upload: UploadView; expiresAt: string }>;
  get(ownerId: string, uploadId: string): Promise<UploadView | undefined>;
  /** Returns an upload that still accepts its bytes. */
  getPending(ownerId: string, uploadId: string): Promise<UploadView | undefined>;
  /**
   * Stores the bytes once. `digest` is the digest of the bytes. Throws conflict if the upload
   * already has bytes, or not_found.
   */
  storeContent(
    ownerId: string,
    uploadId: string,
    file: { readonly digest: string; readonly bytes: Uint8Array },
  ): Promise<UploadView>;
  /**
   * Records the attachment in the run's log in the same transaction. Throws not_found, or conflict
   * if the upload has no bytes, belongs to another run, or the run has finished.
   */
  attach(ownerId: string, uploadId: string, runId: string): Promise<UploadView>;
  /**
   * Removes uploads of all owners that were announced longer ago than this and never attached, and
   * bytes that nothing else references, also those of deleted threads. Returns the number of removed
   * uploads and files. Call it again until it returns 0.
   */
  removeUnattached(olderThanMs: number): Promise<number>;
}

/** Decides which files may be uploaded. */
export interface FileCheck {
  /** Checks the announced type. Returns why the file is rejected, if it is. */
  announced(file: { readonly contentType: string }): FileReason | undefined;
  /** Checks the first bytes, or all of them if `isComplete`. */
  content(file: {
    readonly contentType: string;
    readonly bytes: Uint8Array;
    readonly isComplete: boolean;
  }): FileReason | undefined;
}
