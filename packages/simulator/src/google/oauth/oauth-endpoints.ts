import { json } from "../responses.ts";
import type { ServiceRequest, ServiceResponse } from "../simulated-service.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import type { Account } from "./authorize-page.ts";
import type { AuthorizeRequest } from "./authorize-request.ts";
import type { Authorizations } from "./authorizations.ts";
import { decideConsent, showConsent } from "./consent.ts";
import { findRequestToken } from "./request-token.ts";
import { serveToken } from "./token-endpoint.ts";
import { serveRevoke, serveTokenInfo, serveUserInfo } from "./token-facts.ts";

export interface OauthDeps {
  readonly state: SimulatorState;
  readonly authorizations: Authorizations<AuthorizeRequest>;
  readonly accounts: readonly Account[];
  readonly appName: string;
  readonly clientId: string;
}

interface OauthEndpoint {
  /** The method in the record and in rules of faults. */
  readonly name: string;
  readonly serve: (call: ServiceRequest) => ServiceResponse;
}

/** The sign-in of Google, by verb and path. */
export function createOauthEndpoints(deps: OauthDeps): Readonly<Record<string, OauthEndpoint>> {
  const { state, authorizations, accounts, clientId } = deps;
  const tokenInfo: OauthEndpoint = {
    name: "oauth.tokeninfo",
    serve: (call) =>
      json(200, serveTokenInfo({ token: findRequestToken(state, call), clientId, now: call.now })),
  };
  const userInfo: OauthEndpoint = {
    name: "oauth.userinfo",
    serve: (call) => json(200, serveUserInfo(findRequestToken(state, call), accounts, call.now)),
  };
  return {
    "GET /o/oauth2/v2/auth": { name: "oauth.authorize", serve: (call) => showConsent(deps, call) },
    "POST /o/oauth2/v2/auth": { name: "oauth.consent", serve: (call) => decideConsent(deps, call) },
    "POST /token": {
      name: "oauth.token",
      serve: ({ body, now, call }) => {
        const form = new URLSearchParams(body.toString("utf8"));
        return json(200, serveToken(state, authorizations, { form, clientId, now, call }));
      },
    },
    "POST /revoke": {
      name: "oauth.revoke",
      serve: ({ url, body, call }) => {
        const form = new URLSearchParams(body.toString("utf8"));
        const token = url.searchParams.get("token") ?? form.get("token") ?? "";
        return json(200, serveRevoke(state, token, call));
      },
    },
    "GET /tokeninfo": tokenInfo,
    "POST /tokeninfo": tokenInfo,
    "GET /v1/userinfo": userInfo,
    "GET /oauth2/v2/userinfo": userInfo,
    "GET /oauth2/v3/userinfo": userInfo,
  };
}
