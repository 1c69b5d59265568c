import { normalizeHost } from "./names.ts";

const maxCharacters = 2_000;

/**
 * A URL in the form in which two URLs of one page are equal: without scheme, `www.`, default port,
 * fragment and final slash. Path and query stay as they are, because they can tell the site
 * something. Returns undefined for anything but a page on the web.
 */
export function normalizeUrl(text: string): string | undefined {
  const clean = text.trim();
  if (clean.length > maxCharacters || /\s/.test(clean)) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `https://${clean}`);
  const isPage = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isPage || url.username !== "" || url.password !== "" || !url.hostname.includes("."))
    return undefined;
  const host = normalizeHost(url.hostname).replace(/^www\./, "");
  const port = url.port === "" ? "" : `:${url.port}`;
  const path = url.pathname.replace(/\/$/, "");
  return `${host}${port}${path}${url.search}`;
}

/** The site of a URL in normal form. */
export function siteOf(normalUrl: string): string {
  return /^[^/?]*/.exec(normalUrl)?.[0] ?? "";
}

const maxUrls = 2_000;

/** The URLs with a scheme in a text, in normal form. Punctuation after one is not part of it. */
export function urlsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [written] of text.matchAll(/\bhttps?:\/\/[^\s<>"'`\\^{|}()[\]]{1,2000}/gi)) {
    const url = normalizeUrl(written.replace(/[.,;:!?*_~]{1,20}$/, ""));
    if (url !== undefined) found.add(url);
    if (found.size >= maxUrls) break;
  }
  return [...found];
}
