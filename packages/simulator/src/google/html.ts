const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** A page of a simulated provider. Every page says that it is simulated. `body` is HTML. */
export function htmlPage(
  title: string,
  body: string,
  provider: "Google" | "Slack" = "Google",
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} (demo)</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: grid; place-items: start center; }
main { max-width: 30rem; padding: 2rem 1.25rem; }
.demo { background: #fde68a; color: #422006; padding: .5rem 1.25rem; width: 100%; box-sizing: border-box; text-align: center; }
h1 { font-size: 1.4rem; }
fieldset { border: 1px solid #8888; border-radius: .5rem; margin: 1rem 0; }
label { display: block; padding: .35rem 0; }
button { font: inherit; padding: .5rem 1.25rem; border-radius: .5rem; border: 1px solid #8888; margin-right: .5rem; cursor: pointer; }
button[value="allow"] { background: #1d4ed8; color: #fff; border-color: #1d4ed8; }
</style>
</head>
<body>
<p class="demo">Demo: a simulated ${provider} on your computer. No real account is used, and nothing leaves this machine.</p>
<main>
${body}
</main>
</body>
</html>
`;
}
