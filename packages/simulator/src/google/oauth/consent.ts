import { html } from "../responses.ts";
import type { ServiceRequest, ServiceResponse } from "../simulated-service.ts";
import { consentPage, refusalPage, type Account } from "./authorize-page.ts";
import {
  isForeignOrigin,
  readAuthorizeRequest,
  type AuthorizeRequest,
} from "./authorize-request.ts";
import type { Authorizations } from "./authorizations.ts";

interface ConsentDeps {
  readonly authorizations: Authorizations<AuthorizeRequest>;
  readonly accounts: readonly Account[];
  readonly appName: string;
  readonly clientId: string;
}

export function showConsent(
  { authorizations, accounts, appName, clientId }: ConsentDeps,
  { url }: ServiceRequest,
): ServiceResponse {
  const request = readAuthorizeRequest(url.searchParams, clientId);
  if ("error" in request) return html(400, refusalPage(request));
  return html(
    200,
    consentPage({ appName, requestId: authorizations.ask(request), request, accounts }),
  );
}

/** Redirects to the app, with a code if the person agreed. */
export function decideConsent(
  { authorizations, accounts }: Pick<ConsentDeps, "authorizations" | "accounts">,
  { body, headers }: ServiceRequest,
): ServiceResponse {
  const form = new URLSearchParams(body.toString("utf8"));
  const request = isForeignOrigin(headers.origin)
    ? undefined
    : authorizations.take(form.get("request") ?? "");
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
