import type { ActiveFault } from "../google/control/faults.ts";
import type { ServiceResponse, SimulatedService } from "../google/simulated-service.ts";
import { serveSlackAccess } from "./oauth/slack-access.ts";
import {
  decideSlackConsent,
  showSlackConsent,
  type SlackConsentDeps,
} from "./oauth/slack-consent.ts";
import { bearer, findSlackMethod, serveSlackApi, slackJson } from "./slack-api.ts";
import { SlackError } from "./slack-error.ts";

const apiPath = "/slack/api/";
const authorizePath = "/slack/oauth/v2/authorize";
const accessMethod = "oauth.v2.access";

export function createSlackService(deps: SlackConsentDeps): SimulatedService {
  const { state, authorizations } = deps;
  const apiName = (path: string) => (path.startsWith(apiPath) ? path.slice(apiPath.length) : "");

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
      if (path === authorizePath)
        return call.verb === "GET" ? showSlackConsent(deps, call) : decideSlackConsent(deps, call);
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
