import { api, errorTable, type Endpoint, type JsonObject } from "@bron/protocol";
import { split } from "../register-endpoint.ts";
import { escapeHtml, page } from "../pages.ts";

const style = `
main { max-width: 60rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-bottom: 2rem; }
details { border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent); padding: .5rem 0; }
summary { cursor: pointer; display: flex; gap: .75rem; align-items: baseline; flex-wrap: wrap; }
summary code { font-weight: 600; overflow-wrap: anywhere; }
.method { min-width: 4rem; font: 600 .8rem ui-monospace, monospace; opacity: .75; }
pre { overflow-x: auto; padding: .75rem; border-radius: .5rem; background: color-mix(in srgb, currentColor 7%, transparent); font-size: .85rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
`;

/** Renders the API description as a page without scripts or external resources. */
export function renderDocs(description: JsonObject, origin: string): string {
  const paths = description["paths"] as Record<string, Record<string, JsonObject>>;
  const entries = (Object.entries(api) as [string, Endpoint][]).map(([key, endpoint]) => ({
    key,
    endpoint,
  }));
  const tags = [...new Set(entries.map(({ endpoint }) => endpoint.tag))];
  const tagSection = (tag: string) =>
    `<h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>\n${entries
      .filter(({ endpoint }) => endpoint.tag === tag)
      .map(({ key, endpoint }) => entryOf(key, endpoint, paths, origin))
      .join("\n")}`;
  return page(
    "Bron API",
    `<h1>Bron API</h1>
<p>Authenticate with your browser session or an API token (<code>Authorization: Bearer bron_…</code>). Errors follow RFC 9457; see the <a href="/docs/errors">error reference</a>. Also available as <a href="/openapi.json">OpenAPI</a>.</p>
<nav>${tags.map((tag) => `<a href="#${anchor(tag)}">${escapeHtml(tag)}</a>`).join("\n")}</nav>
${tags.map(tagSection).join("\n")}`,
    `<style>${style}</style>\n`,
  );
}

export function renderErrors(): string {
  const rows = Object.entries(errorTable).flatMap(
    ([code, { slug, status, hint, retryable, public: isPublic }]) =>
      isPublic || code === "internal"
        ? [
            `<tr id="${slug}"><td><code>${code}</code></td><td>${status}</td><td>${retryable ? "yes" : "no"}</td><td>${escapeHtml(hint)}</td></tr>`,
          ]
        : [],
  );
  return page(
    "Bron error reference",
    `<h1>Error reference</h1>\n<p>Retryable: the same request may succeed later.</p>\n<table>\n<tr><th>Code</th><th>Status</th><th>Retryable</th><th>What to do</th></tr>\n${rows.join("\n")}\n</table>\n<p><a href="/docs">API reference</a></p>`,
    `<style>${style}</style>\n`,
  );
}

function entryOf(
  key: string,
  { summary, scope }: Endpoint,
  paths: Record<string, Record<string, JsonObject>>,
  origin: string,
): string {
  const [method, path] = split(key);
  const operation = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] ?? {};
  const { parameters = [], requestBody, responses } = operation;
  const hasBody = requestBody !== undefined;
  const curl = [
    "curl",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(scope === "open" ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(hasBody ? ["-H 'Content-Type: application/json' -d '{}'"] : []),
    `${origin}${path}`,
  ].join(" ");
  const sections = [
    section("Parameters", (parameters as JsonObject[]).length === 0 ? undefined : parameters),
    section("Body", requestBody),
    section("Responses", responses),
  ];
  return `<details id="${anchor(key)}"><summary><span class="method">${method}</span><code>${escapeHtml(path)}</code><span>${withCode(summary)}</span></summary>
<p>${scope === "open" ? "No authentication required." : `Scope: <code>${scope}</code>.`}</p>
<pre>${escapeHtml(curl)}</pre>
${sections.join("")}</details>`;
}

/** Escapes a text and renders its backticks as code. */
function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function section(title: string, value: unknown): string {
  return value === undefined
    ? ""
    : `<h4>${title}</h4>\n<pre>${escapeHtml(JSON.stringify(value, undefined, 2))}</pre>\n`;
}

function anchor(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
