import type { SessionView } from "@bron/protocol";

export interface ActiveSession {
  readonly id: string;
  readonly ownerId: string;
  readonly via: SessionView["via"];
}

export interface NewSession extends ActiveSession {
  readonly secretHash: string;
  readonly userAgent: string;
}

/** Signed-in browsers, identified by the hash of their secret. */
export interface Sessions {
  add(session: NewSession & { readonly lifeMs: number }): Promise<void>;
  /**
   * Adds a session that was signed in elsewhere. Does nothing if the sign-in was before
   * `validAfter`, if it has expired, or if its secret is known.
   */
  admit(
    session: NewSession & { readonly signedInAt: number; readonly expiresAt: number },
  ): Promise<void>;
  /** Records when the session was last seen, at most once a minute. */
  find(secretHash: string): Promise<ActiveSession | undefined>;
  /** Most recently seen first. */
  list(ownerId: string): Promise<Omit<SessionView, "current">[]>;
  /** Throws not_found. */
  end(ownerId: string, id: string): Promise<void>;
  /**
   * Returns the IDs of the sessions that it ended. Earlier sign-ins from elsewhere become invalid.
   */
  endOthers(ownerId: string, keepId: string | undefined): Promise<string[]>;
  /** In epoch milliseconds. */
  validAfter(ownerId: string): Promise<number>;
}
