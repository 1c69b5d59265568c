import type { SessionView } from "@bron/protocol";
import type { ActiveSession, Sessions } from "@bron/core";
import { randomUUID } from "node:crypto";
import { hashSecret, newSecret } from "./secret-text.ts";

/** What sign-in needs of sessions. The owner lists and ends them through services. */
export interface SessionService {
  /**
   * Creates a session for a browser that signed in here. The secret is returned only once. Only its
   * hash is stored.
   */
  open(
    ownerId: string,
    session: {
      readonly via: SessionView["via"];
      readonly userAgent: string;
      readonly lifeMs: number;
    },
  ): Promise<{ id: string; secret: string }>;
  /**
   * Admits a browser that signed in elsewhere with a secret that the caller has verified. The first
   * request creates the session. Returns undefined if the session was ended here, has expired, or
   * is older than `validAfter`. Times are epoch milliseconds.
   */
  admit(
    ownerId: string,
    session: {
      readonly via: SessionView["via"];
      readonly secret: string;
      readonly userAgent: string;
      readonly signedInAt: number;
      readonly expiresAt: number;
    },
  ): Promise<ActiveSession | undefined>;
  /**
   * Returns the session if it has neither ended nor expired. Ending a session takes effect at once
   * in every process.
   */
  find(secret: string): Promise<ActiveSession | undefined>;
  /** Sign-ins from elsewhere before this time are refused. In epoch milliseconds. */
  validAfter(ownerId: string): Promise<number>;
}

export function createSessions(sessions: Sessions): SessionService {
  return {
    async open(ownerId, { via, userAgent, lifeMs }) {
      const [id, secret] = [randomUUID(), newSecret()];
      await sessions.add({ id, ownerId, secretHash: hashSecret(secret), via, userAgent, lifeMs });
      return { id, secret };
    },
    async admit(ownerId, { secret, ...session }) {
      const secretHash = hashSecret(secret);
      const ofOwner = async () => {
        const found = await sessions.find(secretHash);
        return found?.ownerId === ownerId ? found : undefined;
      };
      const found = await ofOwner();
      if (found) return found;
      await sessions.admit({ ...session, id: randomUUID(), ownerId, secretHash });
      return await ofOwner();
    },
    find: (secret) => sessions.find(hashSecret(secret)),
    validAfter: sessions.validAfter,
  };
}
