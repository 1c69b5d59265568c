import type { SessionView } from "@bron/protocol";
import type { LivingSession, Sessions } from "@bron/store";
import { randomUUID } from "node:crypto";
import { hashOf, newSecret } from "./secret-text.ts";

export interface SessionService {
  /** A browser that signed in here. The secret is given this once; only its hash is kept. */
  open(
    ownerId: string,
    session: {
      readonly via: SessionView["via"];
      readonly userAgent: string;
      readonly lifeMs: number;
    },
  ): Promise<{ id: string; secret: string }>;
  /**
   * A browser that signed in elsewhere, by a secret that the caller has verified: it becomes a session when it is first seen.
   * Undefined if that was ended here, has expired, or is older than `validAfter`. Times are epoch milliseconds.
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
  ): Promise<LivingSession | undefined>;
  /** Whose it is, if it has neither ended nor expired. An end counts at once, in every process. */
  find(secret: string): Promise<LivingSession | undefined>;
  /** Living ones, last seen first. */
  list(ownerId: string): Promise<Omit<SessionView, "current">[]>;
  /** Throws not_found. */
  end(ownerId: string, id: string): Promise<void>;
  /** Returns the ids of those that it ended. */
  endOthers(ownerId: string, keepId: string | undefined): Promise<string[]>;
  /** Sign-ins elsewhere before this moment are refused; epoch milliseconds. */
  validAfter(ownerId: string): Promise<number>;
}

export function createSessions(sessions: Sessions): SessionService {
  return {
    async open(ownerId, { via, userAgent, lifeMs }) {
      const [id, secret] = [randomUUID(), newSecret()];
      await sessions.add({ id, ownerId, secretHash: hashOf(secret), via, userAgent, lifeMs });
      return { id, secret };
    },
    async admit(ownerId, { secret, ...session }) {
      const secretHash = hashOf(secret);
      const ofOwner = async () => {
        const found = await sessions.find(secretHash);
        return found?.ownerId === ownerId ? found : undefined;
      };
      const found = await ofOwner();
      if (found) return found;
      await sessions.admit({ ...session, id: randomUUID(), ownerId, secretHash });
      return await ofOwner();
    },
    find: (secret) => sessions.find(hashOf(secret)),
    list: sessions.list,
    end: sessions.end,
    endOthers: sessions.endOthers,
    validAfter: sessions.validAfter,
  };
}
