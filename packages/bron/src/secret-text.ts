import { createHash, randomBytes } from "node:crypto";

/** 256 bits of chance as text. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** All that is kept of a secret. So much chance needs no salt and no slow hash. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
