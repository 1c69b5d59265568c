import type { ActiveFault } from "../google/control/faults.ts";
import { html } from "../google/responses.ts";
import { isLoopbackHost } from "../google/oauth/authorize-request.ts";
import type { Authorizations } from "../google/oauth/authorizations.ts";
import type {
  ServiceResponse,
  ServiceRequest,
  SimulatedService,
} from "../google/simulated-service.ts";
import type { SimulatorState } from "../google/state/simulator-state.ts";
import { serveSlackAccess } from "./oauth/slack-access.ts";
import {
  readSlackAuthorize,
  slackConsentPage,
  slackRefusalPage,
  type SlackAuthorizeRequest,
} from "./oauth/slack-authorize.ts";
import { bearer, findSlackMethod, serveSlackApi, slackJson } from "./slack-api.ts";
import { SlackError } from "./slack-error.ts";
import { slackClientId } from "./slack-secrets.ts";
import type { SlackUser } from "./state/workspace.ts";

interface SlackServiceDeps {
  readonly state: SimulatorState;
  readonly authorizations: Authorizations<SlackAuthorizeRequest>;
  readonly appName: string;
  /** The address of the person who sees the consent page. */
  readonly installer: string;
}

const apiPath = "/slack/api/";
const authorizePath = "/slack/oauth/v2/authorize";
const accessMethod = "oauth.v2.access";

export function createSlackService({
  state,
  authorizations,
  appName,
  installer,
}: SlackServiceDeps): SimulatedService {
  const installingUser = (): SlackUser | undefined =>
    state
      .workspace()
      .users()
      .find(({ email }) => email === installer);
  const apiName = (path: string) => (path.startsWith(apiPath) ? path.slice(apiPath.length) : "");

  function showConsent({ url }: ServiceRequest): ServiceResponse {
    const request = readSlackAuthorize(url.searchParams, slackClientId);
    if ("error" in request) return html(400, slackRefusalPage(request));
    return html(
      200,
      slackConsentPage({ appName, requestId: authorizations.ask(request), request, installer }),
    );
  }

  function decide({ body, headers }: ServiceRequest): ServiceResponse {
    const form = new URLSearchParams(body.toString("utf8"));
    const { origin } = headers;
    const isForeign =
      typeof origin === "string" &&
      origin !== "null" &&
      !isLoopbackHost(URL.parse(origin)?.hostname ?? "");
    const request = isForeign ? undefined : authorizations.take(form.get("request") ?? "");
    const user = installingUser();
    if (!request || !user)
      return html(
        400,
        slackRefusalPage({
          error: "This page was used already, or is too old. Go back to the app and connect again.",
        }),
      );
    const target = new URL(request.redirectUri);
    if (form.get("decision") === "allow")
      target.searchParams.set("code", authorizations.issueCode({ account: user.id, request }));
    else target.searchParams.set("error", "access_denied");
    if (request.state !== undefined) target.searchParams.set("state", request.state);
    return {
      status: 302,
      headers: { location: target.href, "cache-control": "no-store" },
      body: "",
    };
  }

  return {
    methodName: (verb, path) => {
      if (path === authorizePath)
        return verb === "GET" ? "slack.oauth.authorize" : "slack.oauth.consent";
      const name = apiName(path);
      return name === accessMethod || findSlackMethod(name) ? `slack.${name}` : undefined;
    },
    accountOf: ({ headers }) => {
      const token = state.workspace().tokens.find(bearer(headers) ?? "");
      return token && state.workspace().user(token.userId)?.name;
    },
    isRead: (verb, method) =>
      (method === "slack.oauth.authorize" && verb === "GET") ||
      (findSlackMethod(method.replace(/^slack\./, ""))?.isRead ?? false),
    serve: async (call) => {
      const path = call.url.pathname;
      if (path === authorizePath) return call.verb === "GET" ? showConsent(call) : decide(call);
      if (apiName(path) === accessMethod)
        return slackJson(200, await serveSlackAccess(state, authorizations, call));
      const method = findSlackMethod(apiName(path));
      if (!method) throw new SlackError("unknown_method", { more: { req_method: apiName(path) } });
      return serveSlackApi(state, method, call);
    },
    refuse: (error) => {
      if (error instanceof SlackError) return slackJson(error.status, error.body, error.headers);
      return slackJson(500, {
        ok: false,
        error: "fatal_error",
        detail: error instanceof Error ? error.message : String(error),
      });
    },
    respondWithFault,
  };
}

/**
 * Slack uses HTTP statuses only for rate limits and its own failures. Other errors come with status
 * 200.
 */
const faultErrors: Readonly<
  Record<ActiveFault["status"], { readonly status: number; readonly error: string }>
> = {
  400: { status: 200, error: "invalid_arguments" },
  401: { status: 200, error: "invalid_auth" },
  403: { status: 200, error: "access_denied" },
  404: { status: 200, error: "channel_not_found" },
  429: { status: 429, error: "ratelimited" },
  500: { status: 500, error: "internal_error" },
  503: { status: 503, error: "service_unavailable" },
};

function respondWithFault({ status, retryAfterSeconds }: ActiveFault): ServiceResponse {
  const { status: sent, error } = faultErrors[status];
  const seconds = retryAfterSeconds ?? (sent === 429 ? 1 : undefined);
  return slackJson(
    sent,
    { ok: false, error },
    seconds === undefined ? {} : { "retry-after": String(seconds) },
  );
}
