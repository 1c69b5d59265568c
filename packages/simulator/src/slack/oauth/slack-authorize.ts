import { escapeHtml, htmlPage } from "../../google/html.ts";
import { isLoopbackUrl } from "../../google/oauth/authorize-request.ts";
import { slackTeam } from "../slack-team.ts";
import { slackScopeMeaning } from "./slack-scopes.ts";

export interface SlackAuthorizeRequest {
  readonly redirectUri: string;
  /** Scopes of the bot. */
  readonly scopes: readonly string[];
  /** Scopes of the person who installs the app. */
  readonly userScopes: readonly string[];
  readonly state?: string;
  readonly codeChallenge?: string;
}

/** Slack shows these errors on its own page, because it cannot trust the redirect URI. */
interface Refusal {
  readonly error: string;
}

export function readSlackAuthorize(
  query: URLSearchParams,
  clientId: string,
): SlackAuthorizeRequest | Refusal {
  const redirectUri = query.get("redirect_uri") ?? "";
  const [scopes, userScopes] = [listOf(query.get("scope")), listOf(query.get("user_scope"))];
  const [state, codeChallenge] = [query.get("state"), query.get("code_challenge")];
  const unknown = [...scopes, ...userScopes].filter(
    (scope) => slackScopeMeaning(scope) === undefined,
  );
  if (query.get("client_id") !== clientId) return { error: "invalid_client_id" };
  if (!isLoopbackUrl(redirectUri))
    return { error: `redirect_uri did not match any configured URIs. Passed URI: ${redirectUri}` };
  if (scopes.length + userScopes.length === 0) return { error: "No scopes requested" };
  if (unknown.length > 0) return { error: `Invalid permissions requested: ${unknown.join(", ")}` };
  if (
    codeChallenge !== null &&
    (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge))
  )
    return { error: "invalid_code_challenge" };
  return {
    redirectUri,
    scopes,
    userScopes,
    ...(state === null ? {} : { state }),
    ...(codeChallenge === null ? {} : { codeChallenge }),
  };
}

/** Slack separates scopes by commas and also accepts spaces. */
const listOf = (text: string | null) => [
  ...new Set((text ?? "").split(/[\s,]+/).filter((scope) => scope !== "")),
];

interface SlackConsent {
  readonly appName: string;
  readonly requestId: string;
  readonly request: SlackAuthorizeRequest;
  readonly installer: string;
}

export function slackConsentPage({ appName, requestId, request, installer }: SlackConsent): string {
  const app = escapeHtml(appName);
  const permissions = (title: string, scopes: readonly string[]) =>
    scopes.length === 0
      ? ""
      : `<h2>${title}</h2>\n<ul>\n${scopes.map((scope) => `<li>${escapeHtml(slackScopeMeaning(scope) ?? scope)} (<code>${escapeHtml(scope)}</code>)</li>`).join("\n")}\n</ul>`;
  return htmlPage(
    `Install ${appName}`,
    `<h1>${app} is requesting permission to access the ${escapeHtml(slackTeam.name)} Slack workspace</h1>
<p>Signed in as <strong>${escapeHtml(installer)}</strong>, ${escapeHtml(slackTeam.domain)}</p>
${permissions(`What will ${app} be able to do?`, request.scopes)}
${permissions(`What will ${app} be able to do as you?`, request.userScopes)}
<form method="post" action="/slack/oauth/v2/authorize">
<input type="hidden" name="request" value="${escapeHtml(requestId)}">
<button type="submit" name="decision" value="deny">Cancel</button>
<button type="submit" name="decision" value="allow">Allow</button>
</form>`,
    "Slack",
  );
}

export function slackRefusalPage({ error }: Refusal): string {
  return htmlPage(
    "Something went wrong",
    `<h1>Something went wrong when authorizing this app.</h1>\n<p>Error details: ${escapeHtml(error)}</p>`,
    "Slack",
  );
}
