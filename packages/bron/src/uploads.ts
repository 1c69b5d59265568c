import { BronError, type FileCheck, type Sign, type UploadQuota, type Uploads } from "@bron/core";
import { api, type NewUpload, type UploadView } from "@bron/protocol";
import { collectBytes } from "./collect-bytes.ts";
import { parseInput } from "./parse-input.ts";
import { readUploadToken, uploadToken } from "./upload-token.ts";

export interface UploadService {
  /** Until `expiresAt` the token lets its bytes in, once. Throws invalid_input, too_large, or upload_quota if too much waits already. */
  announce(
    ownerId: string,
    upload: NewUpload,
  ): Promise<{ upload: UploadView; token: string; expiresAt: string }>;
  /**
   * The bytes, as they come; the token is the only key. Unless all of them came and are what was announced, nothing is kept,
   * and the token may be used again. Throws forbidden, conflict, too_large, invalid_input or rate_limited.
   */
  put(uploadId: string, token: string, bytes: AsyncIterable<Uint8Array>): Promise<UploadView>;
  /** Throws not_found. */
  get(ownerId: string, uploadId: string): Promise<UploadView>;
  /** That the bytes are there, and which run they are for. Throws not_found, or conflict if they are not there, belong to another run, or the run is over. */
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
/** Of all files that come at the same time: they are in memory until their digest is known. */
const maxComingBytes = 256 * 1024 * 1024;
/** Of one owner's: nobody takes the room of all. */
const maxComingOfOwner = 64 * 1024 * 1024;

export function createUploads({
  uploads,
  sign,
  files,
  maxBytes,
  quota,
}: UploadsDeps): UploadService {
  let comingBytes = 0;
  const comingOf = new Map<string, number>();

  const get = async (ownerId: string, uploadId: string) => {
    const upload = await uploads.get(ownerId, uploadId);
    if (!upload) throw new BronError("not_found", `There is no upload ${uploadId}.`);
    return upload;
  };

  /** The row says whether the token was used: it is, once there is a digest. */
  const expected = async (ownerId: string, uploadId: string) => {
    const upload = await uploads.awaited(ownerId, uploadId);
    if (upload) return upload;
    const known = await uploads.get(ownerId, uploadId);
    if (known?.digest) throw new BronError("conflict", "This upload has its bytes already.");
    throw new BronError("forbidden", "This token has expired: announce the file again.");
  };

  return {
    async announce(ownerId, given) {
      const { filename, contentType, sizeBytes } = parseInput(
        api["POST /api/uploads/token"].body,
        given,
      );
      if (sizeBytes > maxBytes)
        throw new BronError(
          "too_large",
          `${filename} has ${sizeBytes} bytes; ${maxBytes} are the most.`,
          { details: { bytes: sizeBytes, maxBytes } },
        );
      refuse(files.announced({ contentType }));
      const { upload, expiresAt } = await uploads.announce(ownerId, {
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
      if (claim?.uploadId !== uploadId)
        throw new BronError(
          "forbidden",
          "This token is not for this upload: announce the file first.",
        );
      const { contentType, sizeBytes } = await expected(claim.ownerId, uploadId);
      const ofOwner = comingOf.get(claim.ownerId) ?? 0;
      if (
        comingBytes + sizeBytes > Math.max(maxComingBytes, maxBytes) ||
        ofOwner + sizeBytes > Math.max(maxComingOfOwner, maxBytes)
      )
        throw new BronError(
          "rate_limited",
          "Too many files are coming in at the same time: try again in a moment.",
        );
      comingBytes += sizeBytes;
      comingOf.set(claim.ownerId, ofOwner + sizeBytes);
      try {
        const check = (bytes: Uint8Array, isComplete: boolean) =>
          refuse(files.content({ contentType, bytes, isComplete }));
        return await uploads.keep(
          claim.ownerId,
          uploadId,
          await collectBytes(chunks, { sizeBytes, check }),
        );
      } finally {
        comingBytes -= sizeBytes;
        const left = (comingOf.get(claim.ownerId) ?? 0) - sizeBytes;
        if (left > 0) comingOf.set(claim.ownerId, left);
        else comingOf.delete(claim.ownerId);
      }
    },

    get,

    async complete(ownerId, given) {
      const { uploadId, runId } = parseInput(api["POST /api/uploads/complete"].body, given);
      if (runId !== undefined) return await uploads.attach(ownerId, uploadId, runId);
      const upload = await get(ownerId, uploadId);
      if (upload.digest === null)
        throw new BronError("conflict", "The bytes of this upload are not here yet.");
      return upload;
    },
  };
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new BronError("invalid_input", problem);
}
