import { ApiError, gmailError, missingCredentials } from "./api-error.ts";
import { routeCalendar, serveCalendar } from "./calendar/calendar-api.ts";
import { faultResponse } from "./control/fault-response.ts";
import { routeGmail, serveGmail } from "./gmail/gmail-api.ts";
import { consentPage, refusalPage, type Account } from "./oauth/authorize-page.ts";
import {
  isLoopbackHost,
  readAuthorizeRequest,
  type AuthorizeRequest,
} from "./oauth/authorize-request.ts";
import type { Authorizations } from "./oauth/authorizations.ts";
import { serveToken } from "./oauth/token-endpoint.ts";
import { serveRevoke, serveTokenInfo, serveUserInfo } from "./oauth/token-facts.ts";
import { html, json } from "./responses.ts";
import type { ServiceResponse, ServiceRequest, SimulatedService } from "./simulated-service.ts";
import type { SimulatorState } from "./state/simulator-state.ts";

interface GoogleServiceDeps {
  readonly state: SimulatorState;
  readonly authorizations: Authorizations<AuthorizeRequest>;
  readonly accounts: readonly Account[];
  readonly appName: string;
  readonly clientId: string;
}

export function createGoogleService(deps: GoogleServiceDeps): SimulatedService {
  const { state, authorizations, accounts, appName, clientId } = deps;
  const tokenOf = ({ url, headers }: Pick<ServiceRequest, "url" | "headers">) =>
    state.grants().byAccessToken(bearer(headers) ?? url.searchParams.get("access_token") ?? "");
  const nameOf = (address: string | undefined) =>
    accounts.find((account) => account.address === address)?.name ?? "";

  const endpoints: Readonly<
    Record<
      string,
      { readonly name: string; readonly serve: (call: ServiceRequest) => ServiceResponse }
    >
  > = {
    "GET /o/oauth2/v2/auth": { name: "oauth.authorize", serve: showConsent },
    "POST /o/oauth2/v2/auth": { name: "oauth.consent", serve: decide },
    "POST /token": {
      name: "oauth.token",
      serve: ({ body, now, call }) =>
        json(
          200,
          serveToken(state, authorizations, {
            form: new URLSearchParams(body.toString("utf8")),
            clientId,
            now,
            call,
          }),
        ),
    },
    "POST /revoke": {
      name: "oauth.revoke",
      serve: ({ url, body, call }) =>
        json(
          200,
          serveRevoke(
            state,
            url.searchParams.get("token") ??
              new URLSearchParams(body.toString("utf8")).get("token") ??
              "",
            call,
          ),
        ),
    },
    "GET /tokeninfo": {
      name: "oauth.tokeninfo",
      serve: (call) => json(200, serveTokenInfo({ token: tokenOf(call), clientId, now: call.now })),
    },
    "POST /tokeninfo": {
      name: "oauth.tokeninfo",
      serve: (call) => json(200, serveTokenInfo({ token: tokenOf(call), clientId, now: call.now })),
    },
    ...Object.fromEntries(
      ["/v1/userinfo", "/oauth2/v2/userinfo", "/oauth2/v3/userinfo"].map((path) => [
        `GET ${path}`,
        {
          name: "oauth.userinfo",
          serve: (call: ServiceRequest) =>
            json(200, serveUserInfo(tokenOf(call), accounts, call.now)),
        },
      ]),
    ),
  };

  function showConsent({ url }: ServiceRequest): ServiceResponse {
    const request = readAuthorizeRequest(url.searchParams, clientId);
    if ("error" in request) return html(400, refusalPage(request));
    return html(
      200,
      consentPage({ appName, requestId: authorizations.ask(request), request, accounts }),
    );
  }

  function decide({ body, headers }: ServiceRequest): ServiceResponse {
    const form = new URLSearchParams(body.toString("utf8"));
    const origin = headers.origin;
    const isForeign =
      typeof origin === "string" &&
      origin !== "null" &&
      !isLoopbackHost(URL.parse(origin)?.hostname ?? "");
    const request = isForeign ? undefined : authorizations.take(form.get("request") ?? "");
    if (!request)
      return html(
        400,
        refusalPage({
          error: "invalid_request",
          description:
            "This page was used already, or is too old. Go back to the app and connect again.",
        }),
      );
    const account = accounts.find(({ address }) => address === form.get("account"));
    if (!account)
      return html(
        400,
        refusalPage({ error: "invalid_request", description: "There is no such account." }),
      );
    const target = new URL(request.redirectUri);
    const scopes = form.has("granular")
      ? request.scopes.filter((scope) => form.getAll("scope").includes(scope))
      : request.scopes;
    if (form.get("decision") === "allow" && scopes.length > 0) {
      target.searchParams.set(
        "code",
        authorizations.issueCode({ account: account.address, request: { ...request, scopes } }),
      );
      target.searchParams.set("scope", scopes.join(" "));
    } else target.searchParams.set("error", "access_denied");
    if (request.state !== undefined) target.searchParams.set("state", request.state);
    return {
      status: 302,
      headers: { location: target.href, "cache-control": "no-store" },
      body: "",
    };
  }

  return {
    methodName: (verb, path) =>
      endpoints[`${verb} ${path}`]?.name ??
      routeGmail(verb, path)?.method.name ??
      routeCalendar(verb, path)?.method.name,
    accountOf: (call) => tokenOf(call)?.grant.account,
    isRead: (verb) => verb === "GET",
    refuse: (error) =>
      refusal(
        error instanceof ApiError
          ? error
          : gmailError(
              500,
              `The simulated Google failed: ${error instanceof Error ? error.message : String(error)}`,
              { reason: "backendError" },
            ),
      ),
    respondWithFault: (fault) => refusal(faultResponse(fault)),
    serve: async (call) => {
      const path = call.url.pathname;
      const endpoint = endpoints[`${call.verb} ${path}`];
      if (endpoint) return endpoint.serve(call);
      const route = routeGmail(call.verb, path);
      const calendarRoute = routeCalendar(call.verb, path);
      if (!route && !calendarRoute)
        throw new ApiError(404, {
          error: {
            code: 404,
            message: `The requested URL ${path} was not found on this server.`,
            status: "NOT_FOUND",
          },
        });
      if (call.headers.authorization === undefined && !call.url.searchParams.has("access_token"))
        throw missingCredentials();
      const token = tokenOf(call);
      const request = {
        token,
        query: call.url.searchParams,
        body: call.body,
        now: call.now,
        call: call.call,
      };
      const name = nameOf(token?.grant.account);
      const value = route
        ? await serveGmail(state, route, { ...request, senderName: name })
        : calendarRoute &&
          serveCalendar(state, calendarRoute, {
            ...request,
            accountName: name,
            ifMatch: [call.headers["if-match"]].flat()[0],
          });
      return value === undefined ? { status: 204, headers: {}, body: "" } : json(200, value);
    },
  };
}

function bearer(headers: ServiceRequest["headers"]): string | undefined {
  const { authorization } = headers;
  return typeof authorization === "string" ? /^Bearer (\S+)$/i.exec(authorization)?.[1] : undefined;
}

const refusal = ({ status, body, headers }: ApiError) => json(status, body, headers);
