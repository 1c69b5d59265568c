import type { Scope, TokenView } from "@bron/protocol";

export interface ActiveToken {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

interface NewApiToken extends ActiveToken {
  readonly tokenHash: string;
  readonly hint: string;
  readonly days?: number | undefined;
  /**
   * The token that creates this one. The new token expires no later, and is revoked together with
   * it.
   */
  readonly madeBy?: string | undefined;
}

/** The owners' API tokens, identified by their hash. */
export interface ApiTokens {
  /**
   * Throws conflict if the owner has too many tokens, invalid_input if the token would outlive its
   * creator, and unauthenticated if its creator no longer exists.
   */
  add(token: NewApiToken): Promise<TokenView>;
  /** Records when the token was last used, at most once a minute. */
  find(tokenHash: string): Promise<ActiveToken | undefined>;
  /** Active tokens, newest first. */
  list(ownerId: string): Promise<TokenView[]>;
  /**
   * Revokes the token and, recursively, all tokens it created. Returns the IDs of all revoked
   * tokens. Throws not_found.
   */
  revoke(ownerId: string, id: string): Promise<string[]>;
}
