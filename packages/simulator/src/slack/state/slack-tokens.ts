import { omitUndefined } from "@bron/protocol";
import { createHash } from "node:crypto";
import type { SlackEntry, TokenRenewal } from "./slack-entry.ts";

export interface SlackToken {
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly isRevoked: boolean;
  /** Issued by a sign-in. False for the built-in bot token. */
  readonly isInstalled: boolean;
  readonly renewal?: TokenRenewal;
}

type TokenEntry = Extract<
  SlackEntry,
  { readonly change: "token" | "token-revoked" | "refresh-token-used" | "rotation" }
>;

/**
 * Tokens and their scopes. Revoked tokens stay known because Slack distinguishes them from unknown
 * ones.
 */
export interface SlackTokens {
  readonly find: (token: string) => SlackToken | undefined;
  /** The token that a refresh token renews. Undefined if the refresh token was used before. */
  readonly findByRefresh: (refreshToken: string) => SlackToken | undefined;
  /** The lifetime of tokens in seconds. Undefined if they do not expire. */
  readonly rotation: () => number | undefined;
  /** The scopes of all valid tokens that were issued by sign-ins. */
  readonly installedScopes: (userId: string) => readonly string[];
  readonly apply: (entry: TokenEntry) => void;
}

export const slackTokenDigest = (token: string) => createHash("sha256").update(token).digest("hex");

export function createSlackTokens(): SlackTokens {
  const tokens = new Map<string, SlackToken>();
  const used = new Set<string>();
  let rotationSeconds: number | undefined;

  function apply(entry: TokenEntry): void {
    switch (entry.change) {
      case "token": {
        const { digest, userId, scopes, isInstalled, renewal } = entry;
        tokens.set(digest, {
          userId,
          scopes,
          isRevoked: false,
          isInstalled,
          ...omitUndefined({ renewal }),
        });
        return;
      }
      case "token-revoked":
        for (const [digest, token] of tokens)
          if (entry.digest === undefined || entry.digest === digest)
            tokens.set(digest, { ...token, isRevoked: true });
        return;
      case "refresh-token-used":
        used.add(entry.digest);
        return;
      case "rotation":
        rotationSeconds = entry.seconds;
        return;
      default:
        entry satisfies never;
    }
  }

  return {
    find: (token) => tokens.get(slackTokenDigest(token)),
    findByRefresh: (refreshToken) => {
      const wanted = slackTokenDigest(refreshToken);
      return used.has(wanted)
        ? undefined
        : [...tokens.values()].find(
            ({ renewal, isRevoked }) => renewal?.digest === wanted && !isRevoked,
          );
    },
    rotation: () => rotationSeconds,
    installedScopes: (userId) => [
      ...new Set(
        [...tokens.values()]
          .filter((token) => token.userId === userId && token.isInstalled && !token.isRevoked)
          .flatMap(({ scopes }) => scopes),
      ),
    ],
    apply,
  };
}
