import { createHash } from "node:crypto";
import type { SlackEntry, TokenRenewal } from "./slack-entry.ts";

export interface SlackToken {
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly isRevoked: boolean;
  /** By a sign-in; not the token that is there from the beginning. */
  readonly isInstalled: boolean;
  readonly renewal?: TokenRenewal;
}

type TokenEntry = Extract<
  SlackEntry,
  { readonly change: "token" | "token-revoked" | "refresh-token-used" | "rotation" }
>;

/** Who may do what. A revoked token stays known, since Slack tells it from one that never was. */
export interface SlackTokens {
  readonly find: (token: string) => SlackToken | undefined;
  /** The one that a refresh token renews, unless that was used already. */
  readonly findByRefresh: (refreshToken: string) => SlackToken | undefined;
  /** For how many seconds the tokens of a sign-in are good; undefined if they do not end. */
  readonly rotation: () => number | undefined;
  /** All that the living tokens allow which somebody got by a sign-in. */
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
          ...(renewal ? { renewal } : {}),
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
