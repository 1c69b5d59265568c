const maxUrlCharacters = 2_000;

/**
 * The target of a link, if its text does not show it already. Undefined for links within the page
 * and for non-addresses such as javascript: and data:.
 */
export function linkTarget(href: string, text: string): string | undefined {
  const url = href
    .trim()
    .slice(0, maxUrlCharacters)
    .replace(/[\s\p{Cc}]+/gu, "");
  if (url === "" || url.startsWith("#")) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https", "mailto", "tel", "ftp"].includes(scheme))
    return undefined;
  const shown = text.trim().toLowerCase();
  const plain = url.toLowerCase();
  const isPlain = [
    plain,
    plain.replace(/^(?:https?:\/\/|mailto:|tel:)/, ""),
    plain.replace(/\/$/, ""),
    plain.replace(/^https?:\/\//, "").replace(/\/$/, ""),
  ].includes(shown);
  return isPlain ? undefined : url;
}
