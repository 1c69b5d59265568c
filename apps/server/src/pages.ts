/** Pages have their style inside and nothing else: no script, no image, no form. */
export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For a browser that has no session, or a link that is no longer good. */
export function renderSignInPage(problem: string): string {
  return page("Sign in to Bron", `<h1>Sign in to Bron</h1>\n<p>${problem}</p>\n<p>In a terminal on this machine, <code>bron open</code> prints a new link. Each link works once, for ten minutes.</p>`);
}

export function renderEmptyHome(): string {
  return page("Bron", "<h1>Bron</h1>\n<p>Bron is running.</p>");
}

/** After a provider's consent page; goes on by itself. */
export function renderReturnPage(message: string): string {
  return page("Bron", `<h1>Bron</h1>\n<p>${escapeHtml(message)}</p>\n<p><a href="/">Back to Bron</a></p>`, '<meta http-equiv="refresh" content="2;url=/">\n');
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** `head` is trusted markup of ours. */
export function page(title: string, main: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; }
</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}
