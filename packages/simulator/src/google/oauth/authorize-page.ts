import { escapeHtml, htmlPage } from "../html.ts";
import type { AuthorizeRefusal, AuthorizeRequest } from "./authorize-request.ts";
import { scopeMeaning } from "./scopes.ts";

export interface Account {
  /** Lowercase. */
  readonly address: string;
  readonly name: string;
}

interface ConsentPage {
  readonly appName: string;
  readonly requestId: string;
  readonly request: AuthorizeRequest;
  readonly accounts: readonly Account[];
}

export function consentPage({ appName, requestId, request, accounts }: ConsentPage): string {
  const chosen =
    accounts.find(({ address }) => address === request.loginHint?.toLowerCase()) ?? accounts[0];
  return htmlPage(
    `Sign in to ${appName}`,
    `<h1>${escapeHtml(appName)} wants to access your account</h1>
<form method="post" action="/o/oauth2/v2/auth">
<input type="hidden" name="request" value="${escapeHtml(requestId)}">
${accounts.length === 1 ? `<p>As <strong>${escapeHtml(chosen?.address ?? "")}</strong></p>${choice("hidden", chosen)}` : chooser(accounts, chosen)}
<p>This will allow ${escapeHtml(appName)} to:</p>
${request.scopes.length === 1 ? `<ul>\n<li>${wordsFor(request.scopes[0] ?? "")}</li>\n</ul>` : scopeChoices(request.scopes)}
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
  );
}

const wordsFor = (scope: string) => escapeHtml(scopeMeaning(scope) ?? scope);

/**
 * Google lets people uncheck scopes if there are several. The marker field tells a form without
 * checked boxes from a form without boxes.
 */
function scopeChoices(scopes: readonly string[]): string {
  const choices = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked> ${wordsFor(scope)}</label>`,
  );
  return `<input type="hidden" name="granular" value="1">\n${choices.join("\n")}`;
}

function chooser(accounts: readonly Account[], chosen: Account | undefined): string {
  const options = accounts.map(
    (account) =>
      `<label>${choice("radio", account, account === chosen)} ${escapeHtml(account.name)} (${escapeHtml(account.address)})</label>`,
  );
  return `<fieldset>\n<legend>Choose an account</legend>\n${options.join("\n")}\n</fieldset>`;
}

function choice(type: "hidden" | "radio", account: Account | undefined, isChosen = false): string {
  return `<input type="${type}" name="account" value="${escapeHtml(account?.address ?? "")}"${isChosen ? " checked" : ""}>`;
}

export function refusalPage({ error, description }: AuthorizeRefusal): string {
  return htmlPage(
    "Access blocked",
    `<h1>Access blocked: this request is invalid</h1>\n<p>${escapeHtml(description)}</p>\n<p>Error 400: ${escapeHtml(error)}</p>`,
  );
}
