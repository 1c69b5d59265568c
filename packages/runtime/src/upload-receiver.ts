import { requestError, type FileCheck, type Uploads } from "@bron/core";
import type { FileReason, Sign, UploadView } from "@bron/protocol";
import { collectBytes } from "./collect-bytes.ts";
import { readUploadToken } from "./upload-token.ts";

export interface UploadReceiver {
  /**
   * Stores the content of an upload. The token is the only credential. If the content is incomplete
   * or does not match the declaration, nothing is stored and the token stays valid. Throws
   * forbidden, conflict, too_large, invalid_input or rate_limited.
   */
  receiveUpload(
    uploadId: string,
    token: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<UploadView>;
}

interface UploadReceiverDeps {
  readonly uploads: Pick<Uploads, "get" | "getPending" | "storeContent">;
  readonly sign: Sign;
  readonly files: FileCheck;
  readonly maxBytes: number;
}

/**
 * The limit for all files that are received at the same time. They are in memory until their digest
 * is known.
 */
const maxReceivingBytes = 256 * 1024 * 1024;
/** The limit per owner, so that one owner cannot use all of the memory. */
const maxReceivingBytesPerOwner = 64 * 1024 * 1024;

export function createUploadReceiver({
  uploads,
  sign,
  files,
  maxBytes,
}: UploadReceiverDeps): UploadReceiver {
  let receivingBytes = 0;
  const receivingByOwner = new Map<string, number>();

  /** The token is used up once the row has a digest. */
  const requirePending = async (ownerId: string, uploadId: string) => {
    const upload = await uploads.getPending(ownerId, uploadId);
    if (upload) return upload;
    const known = await uploads.get(ownerId, uploadId);
    if (known?.digest) throw requestError("conflict", { code: "upload_done" });
    throw requestError("forbidden", { code: "upload_token_expired" });
  };

  return {
    async receiveUpload(uploadId, token, chunks) {
      const claim = readUploadToken(sign, token);
      if (claim?.uploadId !== uploadId)
        throw requestError("forbidden", { code: "upload_token_invalid" });
      const { contentType, sizeBytes } = await requirePending(claim.ownerId, uploadId);
      const ofOwner = receivingByOwner.get(claim.ownerId) ?? 0;
      if (
        receivingBytes + sizeBytes > Math.max(maxReceivingBytes, maxBytes) ||
        ofOwner + sizeBytes > Math.max(maxReceivingBytesPerOwner, maxBytes)
      )
        throw requestError("rate_limited", { code: "uploads_busy" });
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
  };
}

export function throwIfInvalid(why: FileReason | undefined): void {
  if (why !== undefined) throw requestError("invalid_input", why);
}
