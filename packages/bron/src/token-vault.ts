import type { Grant, TokenVault } from "@bron/core";
import type { OauthTokens } from "@bron/store";
import { createCipher } from "./cipher.ts";

/** Whose token it is and which is bound to each text. */
export function createTokenVault(tokens: OauthTokens, secretKey: string): TokenVault {
  const { seal, open } = createCipher(secretKey, "oauth-tokens");
  const placeOf = (ownerId: string, provider: string, which: "access" | "refresh") =>
    JSON.stringify([ownerId, provider, which]);
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
    save: (ownerId, provider, grant) =>
      tokens.save(ownerId, provider, both(seal, ownerId, provider, grant)),
    async renew(ownerId, provider, before, renewed) {
      const stored = await tokens.load(ownerId, provider);
      if (!stored || both(open, ownerId, provider, stored).refreshToken !== before.refreshToken)
        return false;
      return await tokens.replace(
        ownerId,
        provider,
        stored.accessToken,
        both(seal, ownerId, provider, renewed),
      );
    },
    remove: tokens.remove,
  };
}
