import type { Sign } from "@bron/core";
import { timingSafeEqual } from "node:crypto";

/** What a token lets in: these bytes of this owner, until then. */
export interface UploadClaim {
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

/** Undefined unless it was made here. Whether it is still good, the upload's row says. */
export function readUploadToken(sign: Sign, token: string): UploadClaim | undefined {
  const [text = "", signature = ""] = token.split(".", 2);
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(purpose, text))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return JSON.parse(Buffer.from(text, "base64url").toString()) as UploadClaim;
}
