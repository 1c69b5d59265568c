import { escapeHtml, htmlPage } from "../html.ts";
import type { AuthorizeRefusal, AuthorizeRequest } from "./authorize-request.ts";
import { scopeMeaning } from "./scopes.ts";

export interface Account {
  /** In lower case. */
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
  const chosen = accounts.find(({ address }) => address === request.loginHint?.toLowerCase()) ?? accounts[0];
  const meanings = [...new Set(request.scopes.map((scope) => scopeMeaning(scope) ?? scope))];
  return htmlPage(
    `Sign in to ${appName}`,
    `<h1>${escapeHtml(appName)} wants to access your account</h1>
<form method="post" action="/o/oauth2/v2/auth">
<input type="hidden" name="request" value="${escapeHtml(requestId)}">
${accounts.length === 1 ? `<p>As <strong>${escapeHtml(chosen?.address ?? "")}</strong></p>${choice("hidden", chosen)}` : chooser(accounts, chosen)}
<p>This will allow ${escapeHtml(appName)} to:</p>
<ul>
${meanings.map((meaning) => `<li>${escapeHtml(meaning)}</li>`).join("\n")}
</ul>
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
  );
}

function chooser(accounts: readonly Account[], chosen: Account | undefined): string {
  const options = accounts.map((account) => `<label>${choice("radio", account, account === chosen)} ${escapeHtml(account.name)} (${escapeHtml(account.address)})</label>`);
  return `<fieldset>\n<legend>Choose an account</legend>\n${options.join("\n")}\n</fieldset>`;
}

function choice(type: "hidden" | "radio", account: Account | undefined, isChosen = false): string {
  return `<input type="${type}" name="account" value="${escapeHtml(account?.address ?? "")}"${isChosen ? " checked" : ""}>`;
}

export function refusalPage({ error, description }: AuthorizeRefusal): string {
  return htmlPage("Access blocked", `<h1>Access blocked: this request is invalid</h1>\n<p>${escapeHtml(description)}</p>\n<p>Error 400: ${escapeHtml(error)}</p>`);
}
