import { BronError } from "@bron/core";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Cipher {
  /** `context` is bound to the text as associated data. `open` must pass the same context. */
  seal(context: string, text: string): string;
  /** Throws secret_key_changed. */
  open(context: string, sealed: string): string;
}

/** Also set for decryption, so that a truncated text cannot pass with a shorter tag. */
const authTagLength = 16;

/** AES-256-GCM with a key derived from the secret of the instance. Each purpose has its own key. */
export function createCipher(secretKey: string, purpose: string): Cipher {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", `bron.${purpose}`, 32));
  return {
    seal(context, text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
    },
    open(context, sealed) {
      const bytes = Buffer.from(sealed.replace(/^v1\./, ""), "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), {
          authTagLength,
        })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(12, 12 + authTagLength));
        return Buffer.concat([
          decipher.update(bytes.subarray(12 + authTagLength)),
          decipher.final(),
        ]).toString("utf8");
      } catch (error) {
        throw new BronError(
          "secret_key_changed",
          "A stored secret can't be decrypted with this key.",
          {
            cause: error,
          },
        );
      }
    },
  };
}
