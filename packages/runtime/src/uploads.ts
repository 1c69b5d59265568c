import { BronError, type FileCheck, type UploadQuota, type Uploads } from "@bron/core";
import { api, formatBytes, type NewUpload, type UploadView, type Sign } from "@bron/protocol";
import { collectBytes } from "./collect-bytes.ts";
import { parseInput } from "./parse-input.ts";
import { readUploadToken, uploadToken } from "./upload-token.ts";

export interface UploadService {
  /**
   * The token allows one upload of the content until `expiresAt`. Throws invalid_input, too_large,
   * or upload_quota if too many bytes are not attached yet.
   */
  create(
    ownerId: string,
    upload: NewUpload,
  ): Promise<{ upload: UploadView; token: string; expiresAt: string }>;
  /**
   * Stores the content. The token is the only credential. If the content is incomplete or does not
   * match the declaration, nothing is stored and the token stays valid. Throws forbidden, conflict,
   * too_large, invalid_input or rate_limited.
   */
  put(uploadId: string, token: string, bytes: AsyncIterable<Uint8Array>): Promise<UploadView>;
  /** Throws not_found. */
  get(ownerId: string, uploadId: string): Promise<UploadView>;
  /**
   * Confirms that the content is stored, and attaches it to a run. Throws not_found, or conflict if
   * the content is missing, it belongs to another run, or the run has ended.
   */
  complete(
    ownerId: string,
    upload: { readonly uploadId: string; readonly runId?: string | undefined },
  ): Promise<UploadView>;
}

interface UploadsDeps {
  readonly uploads: Uploads;
  readonly sign: Sign;
  readonly files: FileCheck;
  readonly maxBytes: number;
  readonly quota: UploadQuota;
}

const ttlMs = 10 * 60_000;
/**
 * The limit for all files that are received at the same time. They are in memory until their digest
 * is known.
 */
const maxReceivingBytes = 256 * 1024 * 1024;
/** The limit per owner, so that one owner cannot use all of the memory. */
const maxReceivingBytesPerOwner = 64 * 1024 * 1024;

export function createUploads({
  uploads,
  sign,
  files,
  maxBytes,
  quota,
}: UploadsDeps): UploadService {
  let receivingBytes = 0;
  const receivingByOwner = new Map<string, number>();

  const get = async (ownerId: string, uploadId: string) => {
    const upload = await uploads.get(ownerId, uploadId);
    if (!upload) throw new BronError("not_found", `Upload ${uploadId} not found.`);
    return upload;
  };

  /** The token is used up once the row has a digest. */
  const requirePending = async (ownerId: string, uploadId: string) => {
    const upload = await uploads.getPending(ownerId, uploadId);
    if (upload) return upload;
    const known = await uploads.get(ownerId, uploadId);
    if (known?.digest) throw new BronError("conflict", "This file was already uploaded.");
    throw new BronError("forbidden", "This upload token has expired. Start the upload again.");
  };

  return {
    async create(ownerId, input) {
      const { filename, contentType, sizeBytes } = parseInput(
        api["POST /api/uploads/token"].body,
        input,
      );
      if (sizeBytes > maxBytes)
        throw new BronError(
          "too_large",
          `${filename} is too large. The limit is ${formatBytes(maxBytes)}.`,
          { details: { bytes: sizeBytes, maxBytes } },
        );
      throwIfInvalid(files.announced({ contentType }));
      const { upload, expiresAt } = await uploads.create(ownerId, {
        filename,
        contentType: contentType.toLowerCase(),
        sizeBytes,
        ttlMs,
        quota,
      });
      return {
        upload,
        expiresAt,
        token: uploadToken(sign, {
          ownerId,
          uploadId: upload.id,
          sizeBytes,
          contentType: upload.contentType,
          expiresAt,
        }),
      };
    },

    async put(uploadId, token, chunks) {
      const claim = readUploadToken(sign, token);
      if (claim?.uploadId !== uploadId) throw new BronError("forbidden", "Invalid upload token.");
      const { contentType, sizeBytes } = await requirePending(claim.ownerId, uploadId);
      const ofOwner = receivingByOwner.get(claim.ownerId) ?? 0;
      if (
        receivingBytes + sizeBytes > Math.max(maxReceivingBytes, maxBytes) ||
        ofOwner + sizeBytes > Math.max(maxReceivingBytesPerOwner, maxBytes)
      )
        throw new BronError(
          "rate_limited",
          "Too many uploads at the same time. Try again in a moment.",
        );
      receivingBytes += sizeBytes;
      receivingByOwner.set(claim.ownerId, ofOwner + sizeBytes);
      try {
        const check = (bytes: Uint8Array, isComplete: boolean) =>
          throwIfInvalid(files.content({ contentType, bytes, isComplete }));
        return await uploads.storeContent(
          claim.ownerId,
          uploadId,
          await collectBytes(chunks, { sizeBytes, check }),
        );
      } finally {
        receivingBytes -= sizeBytes;
        const left = (receivingByOwner.get(claim.ownerId) ?? 0) - sizeBytes;
        if (left > 0) receivingByOwner.set(claim.ownerId, left);
        else receivingByOwner.delete(claim.ownerId);
      }
    },

    get,

    async complete(ownerId, input) {
      const { uploadId, runId } = parseInput(api["POST /api/uploads/complete"].body, input);
      if (runId !== undefined) return await uploads.attach(ownerId, uploadId, runId);
      const upload = await get(ownerId, uploadId);
      if (upload.digest === null)
        throw new BronError("conflict", "This file hasn't been uploaded yet.");
      return upload;
    },
  };
}

function throwIfInvalid(problem: string | undefined): void {
  if (problem !== undefined) throw new BronError("invalid_input", problem);
}
