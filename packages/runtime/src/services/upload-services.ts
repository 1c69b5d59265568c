import { requestError, type FileCheck, type UploadQuota, type Uploads } from "@bron/core";
import type { Sign } from "@bron/protocol";
import { throwIfInvalid } from "../upload-receiver.ts";
import { uploadToken } from "../upload-token.ts";
import type { ServicesOf } from "./service.ts";

type UploadKeys = "POST /api/uploads/token" | "POST /api/uploads/complete" | "GET /api/uploads/:id";

interface UploadServicesDeps {
  readonly uploads: Pick<Uploads, "create" | "get" | "attach">;
  readonly sign: Sign;
  readonly files: FileCheck;
  readonly maxBytes: number;
  readonly quota: UploadQuota;
}

const ttlMs = 10 * 60_000;

/** Files that the owner uploads. `receiveUpload` of the runtime takes their content. */
export function uploadServices(deps: UploadServicesDeps): ServicesOf<UploadKeys> {
  const { uploads, sign, files, maxBytes, quota } = deps;
  const find = async (ownerId: string, id: string) => {
    const upload = await uploads.get(ownerId, id);
    if (!upload) throw requestError("not_found", { code: "upload_missing", uploadId: id });
    return upload;
  };
  return {
    async "POST /api/uploads/token"({ caller: { ownerId }, body }) {
      const { filename, contentType, sizeBytes } = body;
      if (sizeBytes > maxBytes)
        throw requestError(
          "too_large",
          { code: "upload_too_large", filename, limitBytes: maxBytes },
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
      const token = uploadToken(sign, {
        ownerId,
        uploadId: upload.id,
        sizeBytes,
        contentType: upload.contentType,
        expiresAt,
      });
      // Has no host, so that a page uses the host name that it was loaded from.
      return { upload, token, url: `/api/uploads/${upload.id}?token=${token}`, expiresAt };
    },
    async "POST /api/uploads/complete"({ caller: { ownerId }, body: { uploadId, runId } }) {
      if (runId !== undefined) return await uploads.attach(ownerId, uploadId, runId);
      const upload = await find(ownerId, uploadId);
      if (upload.digest === null) throw requestError("conflict", { code: "upload_pending" });
      return upload;
    },
    "GET /api/uploads/:id": ({ caller: { ownerId }, params }) => find(ownerId, params.id),
  };
}
