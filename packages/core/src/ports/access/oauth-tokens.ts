/** A row of the table. The caller has encrypted the tokens. */
export interface StoredTokens {
  readonly account: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
  readonly scopes: readonly string[];
}

export interface OauthTokens {
  load(ownerId: string, provider: string): Promise<StoredTokens | undefined>;
  save(ownerId: string, provider: string, tokens: StoredTokens): Promise<void>;
  /** Replaces the row only if it still has this access token. Returns whether it did. */
  replace(
    ownerId: string,
    provider: string,
    accessToken: string,
    tokens: StoredTokens,
  ): Promise<boolean>;
  remove(ownerId: string, provider: string): Promise<void>;
}
