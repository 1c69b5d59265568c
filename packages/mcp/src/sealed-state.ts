import { requestError } from "@bron/core";
import type { Sign } from "@bron/protocol";
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/**
 * Keeps what a sign-in needs until the browser returns in the browser's own URL, encrypted. So any
 * process of this Bron can finish it, and nothing is stored for a sign-in that is never finished.
 */
export function sealState(sign: Sign, state: object): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyOf(sign), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(state), "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
}

/** Throws forbidden for a state that was not sealed by this Bron. */
export function openState(sign: Sign, sealed: string): unknown {
  try {
    const bytes = Buffer.from(sealed, "base64url");
    const decipher = createDecipheriv(algorithm, keyOf(sign), bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const text = Buffer.concat([
      decipher.update(bytes.subarray(ivBytes + tagBytes)),
      decipher.final(),
    ]);
    return JSON.parse(text.toString("utf8"));
  } catch (error) {
    throw requestError("forbidden", { code: "sign_in_foreign" }, { cause: error });
  }
}

function keyOf(sign: Sign): Buffer {
  return createHash("sha256").update(sign("mcp-sign-in", "key")).digest();
}
