import { omitUndefined } from "@bron/protocol";
import { randomBytes } from "node:crypto";
import { ApiError } from "../api-error.ts";
import type { GrantEntry } from "../state/entries.ts";
import { tokenDigest } from "../state/grants.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { isVerifierOf, type Authorizations } from "./authorizations.ts";
import type { AuthorizeRequest } from "./authorize-request.ts";

interface TokenRequest {
  readonly form: URLSearchParams;
  readonly clientId: string;
  readonly now: Date;
  readonly call: number;
}

export const oauthError = (status: number, error: string, description: string) =>
  new ApiError(status, { error, error_description: description });

export function serveToken(
  state: SimulatorState,
  authorizations: Authorizations<AuthorizeRequest>,
  request: TokenRequest,
): unknown {
  const { form, clientId } = request;
  if (form.get("client_id") !== clientId)
    throw oauthError(401, "invalid_client", "The OAuth client was not found.");
  if (form.get("client_secret") !== state.clientSecret())
    throw oauthError(401, "invalid_client", "Unauthorized");
  const grantType = form.get("grant_type");
  if (grantType === "authorization_code") return redeemCode(state, authorizations, request);
  if (grantType === "refresh_token") return refresh(state, request);
  throw oauthError(400, "unsupported_grant_type", `Invalid grant_type: ${grantType ?? ""}`);
}

function redeemCode(
  state: SimulatorState,
  authorizations: Authorizations<AuthorizeRequest>,
  { form, now, call }: TokenRequest,
): unknown {
  const authorization = authorizations.redeem(form.get("code") ?? "");
  if (!authorization) throw oauthError(400, "invalid_grant", "Malformed auth code.");
  const { account, request } = authorization;
  if (form.get("redirect_uri") !== request.redirectUri)
    throw oauthError(400, "redirect_uri_mismatch", "Bad Request");
  const verifier = form.get("code_verifier");
  if (verifier === null) throw oauthError(400, "invalid_grant", "Missing code verifier.");
  if (!isVerifierOf(request.codeChallenge, verifier))
    throw oauthError(400, "invalid_grant", "Invalid code verifier.");

  // Google issues a refresh token at the first consent, and again only if the app asks for consent.
  const isFirst = !state
    .grants()
    .ofAccount(account)
    .some(({ refreshDigest }) => refreshDigest !== undefined);
  const refreshToken =
    request.isOffline && (isFirst || request.wantsConsent)
      ? `1//0demo${randomBytes(48).toString("base64url")}`
      : undefined;
  const grantId = randomBytes(9).toString("base64url");
  const grant: GrantEntry = {
    type: "grant",
    grantId,
    account,
    scopes: request.scopes,
    ...omitUndefined({
      refreshDigest: refreshToken === undefined ? undefined : tokenDigest(refreshToken),
    }),
  };
  const access = issueAccess(state, { grantId, scopes: request.scopes }, now);
  state.commit([grant, access.entry], call);
  return { ...access.answer, ...omitUndefined({ refresh_token: refreshToken }) };
}

function refresh(state: SimulatorState, { form, now, call }: TokenRequest): unknown {
  const grant = state.grants().byRefreshToken(form.get("refresh_token") ?? "");
  if (!grant) throw oauthError(400, "invalid_grant", "Token has been expired or revoked.");
  const asked =
    form
      .get("scope")
      ?.split(" ")
      .filter((scope) => scope !== "") ?? grant.scopes;
  if (asked.some((scope) => !grant.scopes.includes(scope)))
    throw oauthError(400, "invalid_scope", "Some requested scopes were invalid.");
  const access = issueAccess(state, { grantId: grant.grantId, scopes: asked }, now);
  state.commit([access.entry], call);
  return access.answer;
}

function issueAccess(
  state: SimulatorState,
  { grantId, scopes }: { readonly grantId: string; readonly scopes: readonly string[] },
  now: Date,
) {
  const token = `ya29.demo${randomBytes(64).toString("base64url")}`;
  const seconds = state.settings().accessTokenSeconds;
  const entry: GrantEntry = {
    type: "access",
    grantId,
    digest: tokenDigest(token),
    scopes,
    expiresAt: now.getTime() + seconds * 1000,
  };
  return {
    entry,
    answer: {
      access_token: token,
      expires_in: seconds,
      scope: scopes.join(" "),
      token_type: "Bearer",
    },
  };
}
