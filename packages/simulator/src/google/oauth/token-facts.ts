import { createHash } from "node:crypto";
import { unauthenticated, insufficientScope } from "../api-error.ts";
import type { AccessToken } from "../state/grants.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import type { Account } from "./authorize-page.ts";
import { profileScopes } from "./scopes.ts";
import { oauthError } from "./token-endpoint.ts";

/** Revoking either token revokes the account's entire grant, as at Google. */
export function serveRevoke(state: SimulatorState, token: string, call: number): unknown {
  const grant = state.grants().byRefreshToken(token) ?? state.grants().byAccessToken(token)?.grant;
  if (!grant) throw oauthError(400, "invalid_token", "Token expired or revoked");
  state.commit(
    state
      .grants()
      .ofAccount(grant.account)
      .map(({ grantId }) => ({ type: "revoked", grantId })),
    call,
  );
  return {};
}

interface TokenFacts {
  readonly token: AccessToken | undefined;
  readonly clientId: string;
  readonly now: Date;
}

export function serveTokenInfo({ token, clientId, now }: TokenFacts): unknown {
  if (!token || token.expiresAt <= now.getTime())
    throw oauthError(400, "invalid_token", "Invalid Value");
  const { account, refreshDigest } = token.grant;
  return {
    azp: clientId,
    aud: clientId,
    sub: subjectOf(account),
    scope: token.scopes.join(" "),
    exp: String(Math.floor(token.expiresAt / 1000)),
    expires_in: String(Math.floor((token.expiresAt - now.getTime()) / 1000)),
    email: account,
    email_verified: "true",
    access_type: refreshDigest === undefined ? "online" : "offline",
  };
}

export function serveUserInfo(
  token: AccessToken | undefined,
  accounts: readonly Account[],
  now: Date,
): unknown {
  if (!token || token.expiresAt <= now.getTime()) throw unauthenticated();
  if (!token.scopes.some((scope) => profileScopes.includes(scope)))
    throw insufficientScope("google.identity.openidconnect.userinfo", profileScopes);
  const account = accounts.find(({ address }) => address === token.grant.account);
  return {
    sub: subjectOf(token.grant.account),
    name: account?.name,
    email: token.grant.account,
    email_verified: true,
  };
}

/** Google user ids are long numbers. */
const subjectOf = (account: string) =>
  BigInt(`0x${createHash("sha256").update(account).digest("hex").slice(0, 16)}`)
    .toString()
    .padStart(21, "1");
