import { BronError, type TokenVault } from "@bron/core";
import type { OauthTokens } from "@bron/store";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

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
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12)).setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    } catch (error) {
      throw new BronError("secret_key_changed", "A stored token cannot be read with this key.", { cause: error });
    }
  };
  const placeOf = (ownerId: string, provider: string, which: "access" | "refresh") => JSON.stringify([ownerId, provider, which]);
  return {
    async load(ownerId, provider) {
      const stored = await tokens.load(ownerId, provider);
      if (!stored) return undefined;
      const { accessToken, refreshToken } = stored;
      return { ...stored, accessToken: open(placeOf(ownerId, provider, "access"), accessToken), refreshToken: open(placeOf(ownerId, provider, "refresh"), refreshToken) };
    },
    async save(ownerId, provider, grant) {
      const { accessToken, refreshToken } = grant;
      await tokens.save(ownerId, provider, { ...grant, accessToken: seal(placeOf(ownerId, provider, "access"), accessToken), refreshToken: seal(placeOf(ownerId, provider, "refresh"), refreshToken) });
    },
    remove: tokens.remove,
  };
}
