import { createHash } from "node:crypto";
import type { SlackEntry } from "./slack-entry.ts";

export interface SlackToken {
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly isRevoked: boolean;
  /** By a sign-in; not the token that is there from the beginning. */
  readonly isInstalled: boolean;
}

type TokenEntry = Extract<SlackEntry, { readonly change: "token" | "token-revoked" }>;

/** Who may do what. A revoked token stays known, since Slack tells it from one that never was. */
export interface SlackTokens {
  readonly find: (token: string) => SlackToken | undefined;
  /** All that the living tokens allow which somebody got by a sign-in. */
  readonly installedScopes: (userId: string) => readonly string[];
  readonly apply: (entry: TokenEntry) => void;
}

export const slackTokenDigest = (token: string) => createHash("sha256").update(token).digest("hex");

export function createSlackTokens(): SlackTokens {
  const tokens = new Map<string, SlackToken>();
  return {
    find: (token) => tokens.get(slackTokenDigest(token)),
    installedScopes: (userId) => [...new Set([...tokens.values()].filter((token) => token.userId === userId && token.isInstalled && !token.isRevoked).flatMap(({ scopes }) => scopes))],
    apply: (entry) => {
      if (entry.change === "token") return void tokens.set(entry.digest, { userId: entry.userId, scopes: entry.scopes, isRevoked: false, isInstalled: entry.isInstalled });
      for (const [digest, token] of tokens) if (entry.digest === undefined || entry.digest === digest) tokens.set(digest, { ...token, isRevoked: true });
    },
  };
}
