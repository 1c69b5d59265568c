import type { Sign } from "@bron/protocol";
import { timingSafeEqual } from "node:crypto";

/** What a token allows: an upload of this size and type by this owner, until it expires. */
interface UploadClaim {
  readonly ownerId: string;
  readonly uploadId: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly expiresAt: string;
}

const purpose = "upload";

export function uploadToken(sign: Sign, claim: UploadClaim): string {
  const text = Buffer.from(JSON.stringify(claim)).toString("base64url");
  return `${text}.${sign(purpose, text)}`;
}

/**
 * Returns undefined if the signature is invalid. The row of the upload says whether the token is
 * still valid.
 */
export function readUploadToken(sign: Sign, token: string): UploadClaim | undefined {
  const [text = "", signature = ""] = token.split(".", 2);
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(purpose, text))];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  return JSON.parse(Buffer.from(text, "base64url").toString()) as UploadClaim;
}
