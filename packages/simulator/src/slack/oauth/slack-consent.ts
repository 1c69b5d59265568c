import { isForeignOrigin } from "../../google/oauth/authorize-request.ts";
import type { Authorizations } from "../../google/oauth/authorizations.ts";
import { html } from "../../google/responses.ts";
import type { ServiceRequest, ServiceResponse } from "../../google/simulated-service.ts";
import type { SimulatorState } from "../../google/state/simulator-state.ts";
import { slackClientId } from "../slack-secrets.ts";
import {
  readSlackAuthorize,
  slackConsentPage,
  slackRefusalPage,
  type SlackAuthorizeRequest,
} from "./slack-authorize.ts";

export interface SlackConsentDeps {
  readonly state: SimulatorState;
  readonly authorizations: Authorizations<SlackAuthorizeRequest>;
  readonly appName: string;
  /** The address of the person who sees the consent page. */
  readonly installer: string;
}

export function showSlackConsent(
  { authorizations, appName, installer }: SlackConsentDeps,
  { url }: ServiceRequest,
): ServiceResponse {
  const request = readSlackAuthorize(url.searchParams, slackClientId);
  if ("error" in request) return html(400, slackRefusalPage(request));
  return html(
    200,
    slackConsentPage({ appName, requestId: authorizations.ask(request), request, installer }),
  );
}

/** Redirects to the app, with a code if the person agreed. */
export function decideSlackConsent(
  { state, authorizations, installer }: SlackConsentDeps,
  { body, headers }: ServiceRequest,
): ServiceResponse {
  const form = new URLSearchParams(body.toString("utf8"));
  const request = isForeignOrigin(headers.origin)
    ? undefined
    : authorizations.take(form.get("request") ?? "");
  const user = state
    .workspace()
    .users()
    .find(({ email }) => email === installer);
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
