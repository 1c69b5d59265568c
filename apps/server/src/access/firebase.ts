import { BronError } from "@bron/core";
import { decodeProtectedHeader, errors, importX509, jwtVerify, type CryptoKey } from "jose";

export interface FirebaseSettings {
  readonly projectId: string;
  /** URL of the certificates by key id, as Google publishes them. */
  readonly keysUrl?: string;
  /** A cookie is rejected this long after its owner signed in, whatever its own expiry says. */
  readonly maxAgeMs?: number;
  readonly cookieName?: string;
}

interface FirebaseUser {
  readonly uid: string;
  readonly email: string | null;
  /** Sign-in of the owner, creation and expiry of the cookie, in epoch milliseconds. */
  readonly signedInAt: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

export interface Firebase {
  readonly cookieName: string;
  /** Returns undefined for an invalid cookie. Throws only if the keys cannot be fetched. */
  verify(cookie: string): Promise<FirebaseUser | undefined>;
}

const googleKeys = "https://www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys";
const defaultMaxAgeMs = 14 * 86_400_000;
const skewSeconds = 60;
/** Shortest time between two fetches of the keys, even after a failure or an unknown key id. */
const refetchMs = 30_000;
/** How long expired keys are still used while new ones cannot be fetched. */
const staleMs = 24 * 3_600_000;
const fetchTimeoutMs = 5_000;
const maxCookieLength = 4_096;

interface KnownKeys {
  readonly keys: ReadonlyMap<string, CryptoKey>;
  readonly readAt: number;
  readonly goodUntil: number;
}

/** Verifies Firebase session cookies with Google's public keys. */
export function createFirebase(
  {
    projectId,
    keysUrl = googleKeys,
    maxAgeMs = defaultMaxAgeMs,
    cookieName = "session",
  }: FirebaseSettings,
  now: () => number = Date.now,
): Firebase {
  let known: KnownKeys | undefined;
  let pendingFetch: Promise<KnownKeys> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  const fetchKeys = async (): Promise<KnownKeys> => {
    pendingFetch ??= readKeys(keysUrl, now).finally(() => (pendingFetch = undefined));
    return (known = await pendingFetch);
  };
  const keyOf = async (id: string): Promise<CryptoKey | undefined> => {
    const at = now();
    const isDue =
      !known || at >= known.goodUntil || (!known.keys.has(id) && at - known.readAt >= refetchMs);
    if (isDue && (!known || at - failedAt >= refetchMs)) {
      try {
        return (await fetchKeys()).keys.get(id);
      } catch (error) {
        failedAt = at;
        if (!known) throw error;
      }
    }
    if (known && at >= known.goodUntil + staleMs)
      throw new BronError(
        "sign_in_unavailable",
        "The keys of the sign-in service have expired, and new ones can't be fetched right now.",
      );
    return known?.keys.get(id);
  };

  return {
    cookieName,
    async verify(cookie) {
      const kid = cookie.length > maxCookieLength ? undefined : keyIdOf(cookie);
      const key = kid === undefined ? undefined : await keyOf(kid);
      if (!key) return undefined;
      try {
        const { payload } = await jwtVerify(cookie, key, {
          algorithms: ["RS256"],
          issuer: `https://session.firebase.google.com/${projectId}`,
          audience: projectId,
          clockTolerance: skewSeconds,
          currentDate: new Date(now()),
          requiredClaims: ["sub", "iat", "exp", "auth_time"],
        });
        const { sub = "", iat = 0, exp = 0, auth_time: signedIn, email } = payload;
        if (
          typeof sub !== "string" ||
          sub === "" ||
          sub.length > 128 ||
          sub.includes("\0") ||
          typeof signedIn !== "number"
        )
          return undefined;
        const age = now() - signedIn * 1_000;
        if (
          age < -skewSeconds * 1_000 ||
          age >= maxAgeMs ||
          iat * 1_000 > now() + skewSeconds * 1_000
        )
          return undefined;
        return {
          uid: sub,
          email: typeof email === "string" ? email : null,
          signedInAt: signedIn * 1_000,
          issuedAt: iat * 1_000,
          expiresAt: exp * 1_000,
        };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function keyIdOf(cookie: string): string | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(cookie);
    return alg === "RS256" ? kid : undefined;
  } catch {
    return undefined;
  }
}

async function readKeys(url: string, now: () => number): Promise<KnownKeys> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(fetchTimeoutMs),
      redirect: "error",
    });
    if (!response.ok)
      throw new BronError(
        "sign_in_unavailable",
        `The keys could not be fetched: status ${response.status}.`,
      );
    const certificates = (await response.json()) as Record<string, string>;
    const keys = new Map(
      await Promise.all(
        Object.entries(certificates).map(
          async ([id, pem]) => [id, await importX509(pem, "RS256")] as const,
        ),
      ),
    );
    const maxAge = Number(
      /max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1] ?? 3_600,
    );
    return { keys, readAt: now(), goodUntil: now() + Math.min(maxAge, 86_400) * 1_000 };
  } catch (error) {
    throw new BronError(
      "sign_in_unavailable",
      "The keys of the sign-in service can't be fetched right now.",
      { cause: error },
    );
  }
}
