import type { Grant, OauthTokens, TokenVault } from "@bron/core";
import { createCipher } from "./cipher.ts";

/**
 * Encrypts tokens at rest. The owner, the provider and the kind of token are bound to each
 * ciphertext.
 */
export function createTokenVault(tokens: OauthTokens, secretKey: string): TokenVault {
  const { seal, open } = createCipher(secretKey, "oauth-tokens");
  const contextOf = (ownerId: string, provider: string, which: "access" | "refresh") =>
    JSON.stringify([ownerId, provider, which]);
  const mapTokens = (
    change: typeof seal,
    ownerId: string,
    provider: string,
    grant: Grant,
  ): Grant => ({
    ...grant,
    accessToken: change(contextOf(ownerId, provider, "access"), grant.accessToken),
    refreshToken: change(contextOf(ownerId, provider, "refresh"), grant.refreshToken),
  });
  return {
    async load(ownerId, provider) {
      const stored = await tokens.load(ownerId, provider);
      return stored && mapTokens(open, ownerId, provider, stored);
    },
    save: (ownerId, provider, grant) =>
      tokens.save(ownerId, provider, mapTokens(seal, ownerId, provider, grant)),
    async renew(ownerId, provider, before, renewed) {
      const stored = await tokens.load(ownerId, provider);
      if (
        !stored ||
        mapTokens(open, ownerId, provider, stored).refreshToken !== before.refreshToken
      )
        return false;
      return await tokens.replace(
        ownerId,
        provider,
        stored.accessToken,
        mapTokens(seal, ownerId, provider, renewed),
      );
    },
    remove: tokens.remove,
  };
}
