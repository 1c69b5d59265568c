import { BronError, type Grant, type TokenVault } from "@bron/core";
import type { OauthTokens } from "@bron/store";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Named on reading too: a text that was cut off must not pass with a shorter tag. */
const authTagLength = 16;

/** AES-256-GCM under a key derived from the instance's secret; whose token it is and which is bound to each text. */
export function createTokenVault(tokens: OauthTokens, secretKey: string): TokenVault {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "bron.oauth-tokens", 32));
  const seal = (place: string, text: string) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
  };
  const open = (place: string, text: string) => {
    const bytes = Buffer.from(text.replace(/^v1\./, ""), "base64url");
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength }).setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 12 + authTagLength));
      return Buffer.concat([decipher.update(bytes.subarray(12 + authTagLength)), decipher.final()]).toString("utf8");
    } catch (error) {
      throw new BronError("secret_key_changed", "A stored token cannot be read with this key.", { cause: error });
    }
  };
  const placeOf = (ownerId: string, provider: string, which: "access" | "refresh") => JSON.stringify([ownerId, provider, which]);
  const both = (change: typeof seal, ownerId: string, provider: string, grant: Grant): Grant => ({
    ...grant,
    accessToken: change(placeOf(ownerId, provider, "access"), grant.accessToken),
    refreshToken: change(placeOf(ownerId, provider, "refresh"), grant.refreshToken),
  });
  return {
    async load(ownerId, provider) {
      const stored = await tokens.load(ownerId, provider);
      return stored && both(open, ownerId, provider, stored);
    },
    save: (ownerId, provider, grant) => tokens.save(ownerId, provider, both(seal, ownerId, provider, grant)),
    async renew(ownerId, provider, before, renewed) {
      const stored = await tokens.load(ownerId, provider);
      if (!stored || both(open, ownerId, provider, stored).refreshToken !== before.refreshToken) return false;
      return await tokens.replace(ownerId, provider, stored.accessToken, both(seal, ownerId, provider, renewed));
    },
    remove: tokens.remove,
  };
}
