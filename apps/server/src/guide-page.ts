import { BronError } from "@bron/core";
import type { Tokens } from "marked";
import { readFile } from "node:fs/promises";
import { escapeHtml, page } from "./pages.ts";

/** The pages of docs/ that are for owners. Their links to one another work. */
const guides: ReadonlySet<string> = new Set([
  "configuration",
  "connecting-google",
  "connecting-slack",
  "mcp",
  "operations",
  "security",
]);

const style = `
main { max-width: 46rem; }
pre { overflow-x: auto; padding: .75rem; border-radius: .5rem; background: var(--raised); }
pre code { padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--edge); }
td code { overflow-wrap: normal; }
`;

/** Renders a guide. Throws not_found for an unknown one. */
export async function renderGuide(name: string): Promise<string> {
  if (!guides.has(name)) throw new BronError("not_found", "There is no such guide.");
  const [{ Marked }, text] = await Promise.all([
    import("marked"),
    readFile(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8"),
  ]);
  const marked = new Marked({
    renderer: {
      heading({ depth, text: words, tokens }) {
        return `<h${depth} id="${anchorOf(words)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === undefined ? words : `<a href="${escapeHtml(target)}">${words}</a>`;
      },
      table(token: Tokens.Table) {
        const row = (tag: "td" | "th", cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        return `<div class="table"><table>${row("th", token.header)}${token.rows.map((cells) => row("td", cells)).join("\n")}</table></div>\n`;
      },
    },
  });
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  return page(
    escapeHtml(title),
    `${await marked.parse(text)}<p><a href="/">Go to Bron</a></p>`,
    `<style>${style}</style>\n`,
  );
}

/** The anchor that links in Markdown use for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}

/** Undefined for a page that is not served. Its name is shown without a link. */
function targetOf(href: string): string | undefined {
  if (/^https?:/.test(href) || href.startsWith("#")) return href;
  const [, name = "", anchor = ""] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === "errors") return `/docs/errors${anchor}`;
  if (name === "http-api") return "/docs";
  return guides.has(name) ? `/docs/guides/${name}${anchor}` : undefined;
}
