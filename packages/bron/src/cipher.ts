import { BronError } from "@bron/core";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Cipher {
  /** `place` is bound to the text: it can be opened nowhere else. */
  seal(place: string, text: string): string;
  /** Throws secret_key_changed. */
  open(place: string, sealed: string): string;
}

/** Named on reading too: a text that was cut off must not pass with a shorter tag. */
const authTagLength = 16;

/** AES-256-GCM under a key derived from the instance's secret, another one for each purpose. */
export function createCipher(secretKey: string, purpose: string): Cipher {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", `bron.${purpose}`, 32));
  return {
    seal(place, text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed.replace(/^v1\./, ""), "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), {
          authTagLength,
        })
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(12, 12 + authTagLength));
        return Buffer.concat([
          decipher.update(bytes.subarray(12 + authTagLength)),
          decipher.final(),
        ]).toString("utf8");
      } catch (error) {
        throw new BronError("secret_key_changed", "A stored secret cannot be read with this key.", {
          cause: error,
        });
      }
    },
  };
}
