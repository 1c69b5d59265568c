import {
  requestError,
  type AccessStore,
  type ApiTokens,
  type NewSession,
  type Rates,
  type Sessions,
  type StreamSlots,
} from "@bron/core";
import type { TokenView } from "@bron/protocol";

interface StoredSession extends NewSession {
  readonly createdAt: string;
  readonly expiresAt: number;
}

interface MemoryAccess extends AccessStore {
  /** Stream slots that are taken now. */
  slotCount(): number;
}

/** Sign-in and limits in memory, for tests of servers that need no Postgres. */
export function memoryAccess(now: () => number = Date.now): MemoryAccess {
  const slots = new Map<string, { readonly ownerId: string; readonly holder: string }>();
  return {
    sessions: memorySessions(now),
    apiTokens: memoryApiTokens(now),
    rates: memoryRates(now),
    streamSlots: memoryStreamSlots(slots),
    slotCount: () => slots.size,
  };
}

function memorySessions(now: () => number): Sessions {
  const sessions = new Map<string, StoredSession>();
  const validAfter = new Map<string, number>();
  const active = (ownerId: string) =>
    [...sessions.values()].filter(
      (session) => session.ownerId === ownerId && session.expiresAt > now(),
    );
  const add = (session: NewSession, expiresAt: number) =>
    void sessions.set(session.secretHash, {
      ...session,
      createdAt: new Date(now()).toISOString(),
      expiresAt,
    });
  return {
    add: async ({ lifeMs, ...session }) => add(session, now() + lifeMs),
    async admit({ signedInAt, expiresAt, ...session }) {
      const isValid = signedInAt >= (validAfter.get(session.ownerId) ?? 0) && expiresAt > now();
      if (isValid && !sessions.has(session.secretHash)) add(session, expiresAt);
    },
    async find(secretHash) {
      const session = sessions.get(secretHash);
      if (!session || session.expiresAt <= now()) return undefined;
      const { id, ownerId, via } = session;
      return { id, ownerId, via };
    },
    list: async (ownerId) =>
      active(ownerId).map(({ id, via, userAgent, createdAt, expiresAt }) => ({
        id,
        via,
        userAgent,
        createdAt,
        lastSeenAt: createdAt,
        expiresAt: new Date(expiresAt).toISOString(),
      })),
    async end(ownerId, id) {
      const session = active(ownerId).find((one) => one.id === id);
      if (!session) throw requestError("not_found", { code: "session_missing" });
      sessions.delete(session.secretHash);
    },
    async endOthers(ownerId, keepId) {
      validAfter.set(ownerId, now());
      const others = active(ownerId).filter(({ id }) => id !== keepId);
      for (const { secretHash } of others) sessions.delete(secretHash);
      return others.map(({ id }) => id);
    },
    validAfter: async (ownerId) => validAfter.get(ownerId) ?? 0,
  };
}

function memoryApiTokens(now: () => number): ApiTokens {
  const tokens = new Map<
    string,
    { readonly ownerId: string; readonly tokenHash: string; readonly view: TokenView }
  >();
  const isActive = ({ expiresAt }: TokenView) =>
    expiresAt === null || Date.parse(expiresAt) > now();
  return {
    async add({ id, ownerId, name, scopes, tokenHash, hint, days, madeBy }) {
      const view: TokenView = {
        id,
        name,
        scopes,
        hint,
        madeBy: madeBy ?? null,
        createdAt: new Date(now()).toISOString(),
        lastUsedAt: null,
        expiresAt: days === undefined ? null : new Date(now() + days * 86_400_000).toISOString(),
      };
      tokens.set(id, { ownerId, tokenHash, view });
      return view;
    },
    async find(tokenHash) {
      const found = [...tokens.values()].find((token) => token.tokenHash === tokenHash);
      if (!found || !isActive(found.view)) return undefined;
      const { id, name, scopes } = found.view;
      return { id, ownerId: found.ownerId, name, scopes };
    },
    list: async (ownerId) =>
      [...tokens.values()]
        .filter((token) => token.ownerId === ownerId && isActive(token.view))
        .map(({ view }) => view)
        .toReversed(),
    async revoke(ownerId, id) {
      if (tokens.get(id)?.ownerId !== ownerId)
        throw requestError("not_found", { code: "token_missing" });
      const revoked = [id];
      for (const madeBy of revoked)
        for (const { view } of tokens.values()) if (view.madeBy === madeBy) revoked.push(view.id);
      for (const revokedId of revoked) tokens.delete(revokedId);
      return revoked;
    },
  };
}

function memoryRates(now: () => number): Rates {
  const requests = new Map<string, number[]>();
  return {
    async take(turns, count = 1) {
      const limited = turns.filter(({ limit }) => limit !== 0);
      const waits = limited.map(({ key, limit, windowMs }) => {
        if (count > limit) return Number.POSITIVE_INFINITY;
        const recent = (requests.get(key) ?? []).filter((at) => at > now() - windowMs);
        const blocking = recent[recent.length - 1 - (limit - count)];
        return blocking === undefined ? 0 : blocking + windowMs - now();
      });
      const retryAfterMs = Math.max(0, ...waits);
      if (retryAfterMs > 0) return { ok: false, retryAfterMs };
      for (const { key } of limited)
        requests.set(key, [
          ...(requests.get(key) ?? []),
          ...Array.from({ length: count }, () => now()),
        ]);
      return { ok: true };
    },
    async refund(keys, count) {
      for (const key of keys) requests.set(key, (requests.get(key) ?? []).slice(0, -count));
    },
  };
}

function memoryStreamSlots(
  slots: Map<string, { readonly ownerId: string; readonly holder: string }>,
): StreamSlots {
  return {
    async take({ id, ownerId, max, holder }) {
      const taken = [...slots.values()].filter((slot) => slot.ownerId === ownerId).length;
      if (taken >= max) return false;
      slots.set(id, { ownerId, holder });
      return true;
    },
    renew: () => Promise.resolve(),
    async remove(id) {
      slots.delete(id);
    },
    async removeAll(holder) {
      for (const [id, slot] of slots) if (slot.holder === holder) slots.delete(id);
    },
  };
}
