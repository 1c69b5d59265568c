import { findAddresses, findBareUrls, findHost } from "./find-names.ts";
import { normalizeText } from "./normalize-text.ts";

/** Addresses, hosts and files as they are compared: two spellings of one thing are one, two things that look alike are two. */

const urlInText = /\b(?:https?|ftp):\/\/[^\s<>"'`)\]}]+/giu;
/** Characters that take no room and no part in what is read, as ranges of code points. */
const unseenRanges = [
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
const unseen = new RegExp(
  `[${unseenRanges
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
  return text.replaceAll(unseen, "");
}

/** The bare address of `Name <a@b>` or `a@b`: case, width and the host's spelling do not count; a +tag does, since not everybody's mail ignores it. */
export function normaliseAddress(text: string): string {
  if (isPlainAddress(text)) return text;
  const inner = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;
  const clean = normalizeText(inner.trim(), "NFKC").toLowerCase();
  const at = clean.lastIndexOf("@");
  return at === -1 ? clean : `${clean.slice(0, at)}@${normaliseHost(clean.slice(at + 1))}`;
}

/** In the form that the network uses, so that umlauts and their punycode are the same and look-alikes are not. */
export function normaliseHost(host: string): string {
  const clean = normalizeText(host.trim(), "NFKC").toLowerCase().replace(/\.$/, "");
  return isPlainHost(clean) ? clean : (URL.parse(`http://${clean}`)?.hostname ?? clean);
}

/** Whether parsing would leave it as it is: no number at its end, nothing encoded. Saves most of the time where a text has many. */
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
        normaliseAddress(found.replace(/^[.'`*_~{|}-]+|[.'`*_~-]+$/g, "")),
      ),
    ),
  ];
}

export function hostsIn(text: string): string[] {
  const urls = new Set([...text.matchAll(urlInText)].map(([url]) => url));
  const bare = [...new Set(findBareUrls(text))].map((url) => `http://${url.replace(/^\/\//, "")}`);
  return [
    ...new Set(
      [...urls, ...bare]
        .flatMap((url) => hostOfUrl(url) ?? [])
        .map(normaliseHost)
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
/** A scheme and slashes of either kind, slashes alone, or a bare name with a path: as mail programs make links of them. */
const linkInText =
  /(?:[a-z][a-z0-9+.-]{0,20}:[/\\]+|(?<![\w:])[/\\]{2,})[^\s<>"]+|(?<![\p{L}\p{N}@._-])[\p{L}\p{N}][\p{L}\p{N}.-]{0,250}\.[\p{L}\p{N}-]{2,63}(?=[/?:#\\])[^\s<>"]*/giu;

/**
 * Hosts that whoever reads a text might be led to. Generous: what only looks like a link counts, what a program would decode is
 * decoded, and a link of which no host can be told is one by itself.
 */
export function hostsLeaving(text: string): string[] {
  const plain = withoutUnseen(text)
    .replaceAll(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));?/gi,
      (whole, hex?: string, decimal?: string, name?: string) =>
        name === undefined
          ? codePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
          : (entities[name.toLowerCase()] ?? whole),
    )
    .replaceAll(/(:[/\\]*)[\t\r\n]+(?=[/\\])/g, "$1");
  const links = [...new Set([...plain.matchAll(linkInText)].map(([link]) => link))];
  return [...new Set([...hostsIn(plain), ...links.flatMap(hostsOfLink)])];
}

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Readers differ in where a user name ends: every reading counts. */
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
  const hosts = names.flatMap((name) => findHost(name) ?? []).map(normaliseHost);
  return hosts.length > 0 ? hosts : authority === "" ? [] : [authority.toLowerCase().slice(0, 200)];
}

/** Every text in a JSON value, keys too: some tools take addresses as keys. */
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
