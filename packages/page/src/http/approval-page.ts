import { randomBytes } from "node:crypto";
import type { PageMemory } from "../state/keeper.ts";
import type { Sealer } from "../state/seal.ts";
import type { ApprovalChoice, OpenApproval } from "../run/exchange-options.ts";

/** What the link to an approval contains. */
interface ApprovalTicket {
  readonly id: string;
  readonly digest: string;
  readonly preview: string;
  readonly origin: string;
}

export interface ApprovalPages {
  /** The address of the page that shows the approval. */
  urlOf(approval: OpenApproval, site: string, origin: string, base: string): Promise<string>;
  /** What the visitor decided there. */
  choiceFor(approval: OpenApproval): Promise<ApprovalChoice | undefined>;
  /** Shows the page, or takes the decision. */
  handle(request: Request, site: string): Promise<Response>;
}

const ttlMs = 30 * 60_000;
const minSecondsToRead = 1;

/**
 * Approvals on the handler's own origin. No page can frame, cover or script this page, and it accepts
 * a decision only from itself.
 */
export function approvalPages(
  sealer: Sealer,
  memory: PageMemory,
  now: () => number,
): ApprovalPages {
  const bindingOf = (site: string) => ({ site, origin: "approval", visitor: "" });
  return {
    async urlOf({ id, digest, preview }, site, origin, base) {
      const ticket: ApprovalTicket = { id, digest, preview, origin };
      return `${base}/approve?ticket=${await sealer.seal(ticket, bindingOf(site), now() + ttlMs)}`;
    },
    async choiceFor({ id, digest }) {
      const stored = await memory.get(choiceKey(id, digest));
      return stored === "approved" || stored === "denied" ? stored : undefined;
    },
    async handle(request, site) {
      const url = new URL(request.url);
      const opened = await sealer.open(
        url.searchParams.get("ticket") ?? "",
        bindingOf(site),
        now(),
      );
      if (!opened.ok)
        return page(410, {
          title: "This request is over",
          lines: ["Go back to the page and try again."],
        });
      const ticket = opened.value as ApprovalTicket;
      if (request.method === "GET") return askPage(ticket, site, url);
      if (!isFromItself(request, url))
        return page(403, {
          title: "Not accepted",
          lines: ["Decide on the page that shows the request."],
        });
      const choice = (await request.formData()).get("decision");
      if (choice !== "approved" && choice !== "denied")
        return page(400, { title: "Not accepted", lines: ["Choose one of the buttons."] });
      await memory.put(choiceKey(ticket.id, ticket.digest), choice, ttlMs);
      return page(200, {
        title: choice === "approved" ? "Approved" : "You declined",
        lines: ["You can close this window."],
      });
    },
  };
}

function choiceKey(id: string, digest: string): string {
  return `approval ${id} ${digest}`;
}

/** Browsers set both headers, and pages cannot change them. */
function isFromItself(request: Request, url: URL): boolean {
  return (
    request.method === "POST" &&
    request.headers.get("origin") === url.origin &&
    (request.headers.get("sec-fetch-site") ?? "same-origin") === "same-origin"
  );
}

interface PageContent {
  readonly title: string;
  readonly lines: readonly string[];
  readonly form?: string;
}

function askPage({ preview, origin }: ApprovalTicket, site: string, url: URL): Response {
  const form = `<form method="post" action="${escape(url.pathname + url.search)}">
<button name="decision" value="approved" disabled>Approve</button>
<button name="decision" value="denied">Cancel</button>
</form>`;
  return page(200, {
    title: "Approve this change?",
    lines: [`${new URL(origin).host} (${site}) asks for this:`, preview],
    form,
  });
}

function page(status: number, { title, lines, form = "" }: PageContent): Response {
  const nonce = randomBytes(16).toString("base64url");
  const script = `const button = document.querySelector('[value=approved]');
let shown = 0;
const look = setInterval(() => {
  shown = document.visibilityState === 'visible' && document.hasFocus() ? shown + 0.25 : 0;
  if (button) button.disabled = shown < ${minSecondsToRead};
}, 250);
document.addEventListener('click', (event) => { if (!event.isTrusted) event.preventDefault(); }, true);`;
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; border-left: 4px solid #d9a62e; padding-left: 1rem; }
button { font: inherit; padding: .6rem 1.2rem; margin-right: .5rem; }
</style>
<h1>${escape(title)}</h1>
${lines.map((line) => `<pre>${escape(line)}</pre>`).join("\n")}
${form}
${form === "" ? "" : `<script nonce="${nonce}">${script}</script>`}
</html>`;
  return new Response(body, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      "cross-origin-opener-policy": "same-origin",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
  });
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
