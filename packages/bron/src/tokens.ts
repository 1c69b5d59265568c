import { api, scopes as allScopes, type NewToken, type TokenView } from "@bron/protocol";
import type { ApiTokens, LivingToken } from "@bron/store";
import { randomUUID } from "node:crypto";
import { parseInput } from "./parse-input.ts";
import { hashOf, newSecret } from "./secret-text.ts";

export interface TokenService {
  /**
   * The token is given this once; only its hash and its last characters are kept. One that another token makes (`madeBy`, its id)
   * ends when its maker does, unless it asks for less. Throws invalid_input, or conflict if there are too many.
   */
  create(
    ownerId: string,
    token: NewToken,
    options?: { readonly madeBy?: string | undefined },
  ): Promise<{ token: string; view: TokenView }>;
  /** Whose it is and what it may do, if it has neither been revoked nor expired. */
  find(token: string): Promise<LivingToken | undefined>;
  /** Living ones, newest first. */
  list(ownerId: string): Promise<TokenView[]>;
  /** Counts at once, in every process, and for all that the token made. Returns the ids of all that were revoked. Throws not_found. */
  revoke(ownerId: string, id: string): Promise<string[]>;
}

const prefix = "bron_";
const pattern = /^bron_[\w-]{43}$/;
const hintLength = 4;

export function createTokens(tokens: ApiTokens): TokenService {
  return {
    async create(ownerId, given, { madeBy } = {}) {
      const { name, scopes, days } = parseInput(api["POST /api/tokens"].body, given);
      const token = `${prefix}${newSecret()}`;
      const view = await tokens.add({
        id: randomUUID(),
        ownerId,
        name,
        scopes: allScopes.filter((scope) => scopes.includes(scope)),
        tokenHash: hashOf(token),
        hint: token.slice(-hintLength),
        days,
        madeBy,
      });
      return { token, view };
    },
    find: async (token) => (pattern.test(token) ? await tokens.find(hashOf(token)) : undefined),
    list: tokens.list,
    revoke: tokens.revoke,
  };
}
