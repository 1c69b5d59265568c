import { api, scopes as allScopes, type NewToken, type TokenView } from "@bron/protocol";
import type { ActiveToken, ApiTokens } from "@bron/core";
import { randomUUID } from "node:crypto";
import { parseInput } from "./parse-input.ts";
import { hashSecret, newSecret } from "./secret-text.ts";

/** Creates and finds tokens. The owner lists and revokes them through services. */
export interface TokenService {
  /**
   * The token is returned only once. Only its hash and its last characters are stored. A token that
   * another token created (`madeBy`, its ID) expires no later than its creator. Throws
   * invalid_input, or conflict if there are too many.
   */
  create(
    ownerId: string,
    token: NewToken,
    options?: { readonly madeBy?: string | undefined },
  ): Promise<{ token: string; view: TokenView }>;
  /** Returns the owner and scopes of a token that is neither revoked nor expired. */
  find(token: string): Promise<ActiveToken | undefined>;
}

const prefix = "bron_";
const pattern = /^bron_[\w-]{43}$/;
const hintLength = 4;

export function createTokens(tokens: ApiTokens): TokenService {
  return {
    async create(ownerId, input, { madeBy } = {}) {
      const { name, scopes, days } = parseInput(api["POST /api/tokens"].body, input);
      const token = `${prefix}${newSecret()}`;
      const view = await tokens.add({
        id: randomUUID(),
        ownerId,
        name,
        scopes: allScopes.filter((scope) => scopes.includes(scope)),
        tokenHash: hashSecret(token),
        hint: token.slice(-hintLength),
        days,
        madeBy,
      });
      return { token, view };
    },
    find: async (token) => (pattern.test(token) ? await tokens.find(hashSecret(token)) : undefined),
  };
}
