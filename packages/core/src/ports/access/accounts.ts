/**
 * OAuth tokens of an owner's account. Stored encrypted. Never shown, logged or given to a model.
 */
export interface Grant {
  /** Name of the account at the provider, e.g. its address. */
  readonly account: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly scopes: readonly string[];
}

export interface TokenVault {
  load(ownerId: string, provider: string): Promise<Grant | undefined>;
  save(ownerId: string, provider: string, grant: Grant): Promise<void>;
  /**
   * Replaces `before` with the renewed grant. Returns false and writes nothing if `before` was
   * removed or replaced meanwhile.
   */
  renew(ownerId: string, provider: string, before: Grant, renewed: Grant): Promise<boolean>;
  remove(ownerId: string, provider: string): Promise<void>;
}

/** A person whom the owner has written to personally, with the names that the owner used. */
interface Contact {
  readonly address: string;
  readonly names: readonly string[];
}

/**
 * Remembers which addresses the owner has written to. `source` is the account's provider. Addresses
 * are normalized.
 */
export interface Contacts {
  find(ownerId: string, source: string, addresses: readonly string[]): Promise<Contact[]>;
  remember(ownerId: string, source: string, people: readonly Contact[]): Promise<void>;
}
