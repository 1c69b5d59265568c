import { findAddresses, findBareUrls, findHost } from "./find-names.ts";
import { normalizeText } from "./normalize-text.ts";

/**
 * Normalization of addresses and hosts for comparison. Different spellings of one thing become
 * equal. Different things that look alike stay different.
 */

const urlInText = /\b(?:https?|ftp):\/\/[^\s<>"'`)\]}]+/giu;
/** Invisible characters, as ranges of code points. */
const invisibleRanges = [
  "00ad",
  "034f",
  "061c",
  "115f-1160",
  "17b4-17b5",
  "180b-180f",
  "200b-200f",
  "202a-202e",
  "2060-206f",
  "3164",
  "fe00-fe0f",
  "feff",
  "ffa0",
  "e0000-e0fff",
];
const invisible = new RegExp(
  `[${invisibleRanges
    .map((range) =>
      range
        .split("-")
        .map((code) => `\\u{${code}}`)
        .join("-"),
    )
    .join("")}]`,
  "gu",
);

export function withoutUnseen(text: string): string {
  return text.replaceAll(invisible, "");
}

/**
 * Returns the bare address of `Name <a@b>` or `a@b`. Case, character width and the host's spelling
 * are normalized. A +tag is kept, because not every mail provider ignores it.
 */
export function normalizeAddress(text: string): string {
  if (isPlainAddress(text)) return text;
  const inner = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;
  const clean = normalizeText(inner.trim(), "NFKC").toLowerCase();
  const at = clean.lastIndexOf("@");
  return at === -1 ? clean : `${clean.slice(0, at)}@${normalizeHost(clean.slice(at + 1))}`;
}

/**
 * Returns the host in network form. Umlauts and their punycode become equal, look-alikes do not.
 */
export function normalizeHost(host: string): string {
  const clean = normalizeText(host.trim(), "NFKC").toLowerCase().replace(/\.$/, "");
  return isPlainHost(clean) ? clean : (URL.parse(`http://${clean}`)?.hostname ?? clean);
}

/**
 * Whether parsing would leave the host unchanged: it has no number at its end and nothing encoded.
 * This shortcut saves most of the time on texts with many hosts.
 */
function isPlainHost(host: string): boolean {
  return (
    /^[a-z0-9.-]+$/.test(host) &&
    /^[a-z-]/.test(host.slice(host.lastIndexOf(".") + 1)) &&
    !host.includes("xn--")
  );
}

function isPlainAddress(text: string): boolean {
  return /^[a-z0-9._+-]+@/.test(text) && isPlainHost(text.slice(text.indexOf("@") + 1));
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

export function addressesIn(text: string): string[] {
  return [
    ...new Set(
      [...new Set(findAddresses(text))].map((found) =>
        normalizeAddress(found.replace(/^[.'`*_~{|}-]+|[.'`*_~-]+$/g, "")),
      ),
    ),
  ];
}

export function hostsIn(text: string): string[] {
  const urls = new Set([...text.matchAll(urlInText)].map(([url]) => url));
  const bareUrls = [...new Set(findBareUrls(text))].map(
    (url) => `http://${url.replace(/^\/\//, "")}`,
  );
  return [
    ...new Set(
      [...urls, ...bareUrls]
        .flatMap((url) => hostOfUrl(url) ?? [])
        .map(normalizeHost)
        .filter(Boolean),
    ),
  ];
}

function hostOfUrl(url: string): string | undefined {
  const host = /^[a-z]+:\/\/([a-z0-9.-]+)(?:[/?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  return host !== undefined && isPlainHost(host) ? host : URL.parse(url)?.hostname;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  sol: "/",
  colon: ":",
  period: ".",
  commat: "@",
  bsol: "\\",
  tab: "",
  newline: "",
};
/**
 * Text that mail programs turn into a link: a scheme with slashes of either kind, slashes alone, or
 * a bare name with a path.
 */
const linkInText =
  /(?:[a-z][a-z0-9+.-]{0,20}:[/\\]+|(?<![\w:])[/\\]{2,})[^\s<>"]+|(?<![\p{L}\p{N}@._-])[\p{L}\p{N}][\p{L}\p{N}.-]{0,250}\.[\p{L}\p{N}-]{2,63}(?=[/?:#\\])[^\s<>"]*/giu;

/**
 * Hosts that a reader of the text could be led to. Errs on the side of too many: anything that
 * looks like a link counts, encoded links are decoded, and a link without a recognizable host
 * counts as a host itself.
 */
export function outgoingHosts(text: string): string[] {
  const plain = withoutUnseen(text)
    .replaceAll(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));?/gi,
      (match, hex?: string, decimal?: string, name?: string) =>
        name === undefined
          ? codePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
          : (entities[name.toLowerCase()] ?? match),
    )
    .replaceAll(/(:[/\\]*)[\t\r\n]+(?=[/\\])/g, "$1");
  const links = [...new Set([...plain.matchAll(linkInText)].map(([link]) => link))];
  return [...new Set([...hostsIn(plain), ...links.flatMap(hostsOfLink)])];
}

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Programs disagree on where a user name ends in a link, so every interpretation counts. */
function hostsOfLink(link: string): string[] {
  const plain = /^(?:[a-z][a-z0-9+.-]*:(?=[/\\]))?[/\\]*([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[/\\?#]|$)/i
    .exec(link)?.[1]
    ?.toLowerCase();
  if (plain !== undefined && isPlainHost(plain)) return [plain];
  const [authority = ""] = link
    .replace(/^[a-z][a-z0-9+.-]*:(?=[/\\])/i, "")
    .replace(/^[/\\]+/, "")
    .split(/[/\\?#]/);
  const names = authority
    .split("@")
    .map((part) => /^\[([^\]]*)\]?/.exec(part)?.[1] ?? part.replace(/:\d*$/, ""));
  const hosts = names.flatMap((name) => findHost(name) ?? []).map(normalizeHost);
  return hosts.length > 0 ? hosts : authority === "" ? [] : [authority.toLowerCase().slice(0, 200)];
}

/** Every string in a JSON value, including keys, because some tools use addresses as keys. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const collect = (member: unknown): void => {
    if (typeof member === "string") texts.push(member);
    else if (Array.isArray(member)) member.forEach(collect);
    else if (typeof member === "object" && member !== null) {
      for (const [key, inner] of Object.entries(member)) {
        texts.push(key);
        collect(inner);
      }
    }
  };
  collect(value);
  return texts;
}
