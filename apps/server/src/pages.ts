/** Pages contain inline style only: no script, no image, no form. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For a browser without a session, or a sign-in link that is no longer valid. */
export function renderSignInPage(problem: string): string {
  return page(
    "Sign in to Bron",
    `<section class="card">
<h1>Sign in to Bron</h1>
<p>${problem}</p>
<p>Run <code>bron open</code> in a terminal on this computer to get a sign-in link. Links work once and expire after 10 minutes.</p>
<p class="quiet">Running from source? Use <code>npm run -s bron -- open</code>. Don't share the link: anyone who has it can sign in.</p>
</section>`,
  );
}

/** For a person who opened an unknown path. */
export function renderNotFoundPage(): string {
  return page(
    "Bron",
    '<section class="card">\n<h1>Page not found</h1>\n<p>Check the link, or go home.</p>\n<p><a href="/">Go home</a></p>\n</section>',
  );
}

export function renderEmptyHome(): string {
  return page(
    "Bron",
    '<section class="card">\n<h1>Bron</h1>\n<p>The server is running.</p>\n</section>',
  );
}

/**
 * Shown after a provider's consent page. Goes on after two seconds, to the page where the owner
 * began. `returnTo` must be a path of this server.
 */
export function renderReturnPage(message: string, returnTo = "/"): string {
  const path = escapeHtml(returnTo);
  return page(
    "Bron",
    `<section class="card">\n<h1>Bron</h1>\n<p>${escapeHtml(message)}</p>\n<p><a href="${path}">${returnTo === "/" ? "Go home" : "Go back"}</a></p>\n</section>`,
    `<meta http-equiv="refresh" content="2;url=${path}">\n`,
  );
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The palette of the web app, for pages that are rendered without it. */
const style = `:root { color-scheme: light dark; --ground: light-dark(#faf9f7, #131417); --surface: light-dark(#fff, #1b1d21); --raised: light-dark(#f3f1ed, #24272c); --edge: light-dark(#e2dfd8, #32363c); --ink: light-dark(#1c1b19, #ecebe8); --quiet: light-dark(#625f58, #a5a39d); --accent: light-dark(#2f5bd7, #8fb0ff); }
body { font: 16px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; margin: 0; background: var(--ground); color: var(--ink); }
main { max-width: 32rem; margin: 0 auto; padding: min(12vh, 6rem) 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; letter-spacing: -.015em; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); text-underline-offset: .2em; }
code { font: .9em ui-monospace, "SF Mono", Menlo, monospace; background: var(--raised); border-radius: .3rem; padding: .1em .35em; overflow-wrap: anywhere; }
.card { background: var(--surface); border: 1px solid var(--edge); border-radius: 1rem; padding: 1.75rem; }
.card code { white-space: nowrap; }
.card > :last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); font-size: .9rem; }
`;

/** `head` must be trusted markup. */
export function page(title: string, main: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${style}</style>
${head}</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}
