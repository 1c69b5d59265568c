/** A row of the table. The caller has encrypted the secret. */
export interface StoredOauthClient {
  readonly provider: string;
  readonly clientId: string;
  readonly sealedSecret: string;
}

/**
 * The OAuth apps of the whole installation, one per provider. `ownerId` is who changes them, for the
 * audit log.
 */
export interface OauthClients {
  put(ownerId: string, client: StoredOauthClient): Promise<void>;
  /** Throws not_found. */
  remove(ownerId: string, provider: string): Promise<void>;
  get(provider: string): Promise<(StoredOauthClient & { readonly updatedAt: string }) | undefined>;
}
