import { createHash, randomBytes } from "node:crypto";

/** 256 random bits as text. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Only this hash of a secret is stored. A random secret of 256 bits needs no salt and no slow hash.
 */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
