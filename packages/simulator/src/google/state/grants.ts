import { createHash } from "node:crypto";
import type { GrantEntry } from "./entries.ts";

interface Grant {
  readonly grantId: string;
  readonly account: string;
  readonly scopes: readonly string[];
  readonly refreshDigest?: string;
}

export interface AccessToken {
  readonly grant: Grant;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The grants of accounts and their tokens. Only `apply` changes them. */
export interface Grants {
  readonly ofAccount: (account: string) => readonly Grant[];
  readonly byRefreshToken: (token: string) => Grant | undefined;
  /** Includes expired tokens. */
  readonly byAccessToken: (token: string) => AccessToken | undefined;
  readonly apply: (entry: GrantEntry) => void;
}

export const tokenDigest = (token: string) => createHash("sha256").update(token).digest("hex");

export function createGrants(): Grants {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, AccessToken>();

  function apply(entry: GrantEntry): void {
    switch (entry.type) {
      case "grant": {
        const { type: _, ...grant } = entry;
        grants.set(entry.grantId, grant);
        return;
      }
      case "access": {
        const grant = grants.get(entry.grantId);
        if (grant)
          tokens.set(entry.digest, { grant, scopes: entry.scopes, expiresAt: entry.expiresAt });
        return;
      }
      case "access-expired":
        tokens.clear();
        return;
      case "revoked":
        grants.delete(entry.grantId);
        for (const [digest, { grant }] of tokens)
          if (grant.grantId === entry.grantId) tokens.delete(digest);
        return;
      default:
        entry satisfies never;
    }
  }

  return {
    ofAccount: (account) => [...grants.values()].filter((grant) => grant.account === account),
    byRefreshToken: (token) => {
      const digest = tokenDigest(token);
      return [...grants.values()].find(({ refreshDigest }) => refreshDigest === digest);
    },
    byAccessToken: (token) => tokens.get(tokenDigest(token)),
    apply,
  };
}
