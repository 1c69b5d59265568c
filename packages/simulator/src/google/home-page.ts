import { escapeHtml, htmlPage } from "./html.ts";
import type { Account } from "./oauth/authorize-page.ts";

interface HomeAccount extends Account {
  readonly messages: number;
}

export function homePage(accounts: readonly HomeAccount[]): string {
  const rows = accounts.map(
    ({ name, address, messages }) =>
      `<li>${escapeHtml(name)}, ${escapeHtml(address)}: ${messages} messages</li>`,
  );
  return htmlPage(
    "Simulated Google",
    `<h1>Simulated Google</h1>
<p>Gmail and sign-in for a fictional small company. Bron uses it while no real account is connected. Email sent here is never delivered.</p>
<ul>
${rows.join("\n")}
</ul>`,
  );
}
