import { getDomain, getPublicSuffix } from "tldts";
import { normalizeText } from "../text/normalize-text.ts";

/**
 * A pattern of hosts in the owner's rules and grants.
 *
 * - `example.com` matches this host only.
 * - `*.example.com` matches every host below it, at any depth, and not `example.com` itself.
 *
 * Hosts are compared in network form: lower case, punycode, no trailing dot. Ports do not count.
 */
export type HostPattern = string;

const maxHostCharacters = 253;
/** What may follow a host in a URL, what precedes it, and what a host cannot contain. */
const notInHost = /[\s/\\?#@*%<>^|,;"'`\p{Cc}\p{Cs}]/u;
const suffixOptions = { allowPrivateDomains: true } as const;

/**
 * Returns the pattern in its normal form, or undefined if the text is none: a URL, a host with a
 * port, a star elsewhere than at the start, below an IP address, or at a public suffix such as
 * `com`, `co.uk` or `github.io`, below which the hosts belong to strangers.
 */
export function parseHostPattern(text: string): HostPattern | undefined {
  const clean = normalizeText(text.trim(), "NFKC");
  if (!clean.startsWith("*.")) return parseHost(clean);
  const host = parseHost(clean.slice(2));
  return host === undefined || isIpAddress(host) || isOfStrangers(host) ? undefined : `*.${host}`;
}

/**
 * Whether the host of a URL matches. A rule that allows asks more of a host than one that denies:
 * for `*.example.com` both must be in one registered domain. So `*.amazonaws.com` does not allow
 * `shop.s3.amazonaws.com`, which belongs to a customer. A host that cannot be read is never
 * allowed, and always matches a rule that denies or asks.
 */
export function matchesHost(
  pattern: HostPattern,
  host: string | undefined,
  purpose: "allow" | "restrict",
): boolean {
  if (host === undefined) return purpose === "restrict";
  if (!pattern.startsWith("*.")) return host === pattern;
  if (isIpAddress(host) || !host.endsWith(pattern.slice(1)) || host.length < pattern.length)
    return false;
  return (
    purpose === "restrict" ||
    getDomain(host, suffixOptions) === getDomain(pattern.slice(2), suffixOptions)
  );
}

/** The host of a URL in network form, or undefined if the URL has none. */
export function hostOfUrl(url: string): string | undefined {
  const host = URL.parse(url)?.hostname.replace(/\.+$/, "");
  return host === "" ? undefined : host;
}

function parseHost(text: string): string | undefined {
  if (text.length > maxHostCharacters * 4 || notInHost.test(text)) return undefined;
  const isIpV6 = /^\[?[\da-f:.]*:[\da-f:.]*:[\da-f:.]*\]?$/i.test(text);
  if (text.includes(":") && !isIpV6) return undefined;
  const host = hostOfUrl(`http://${isIpV6 && !text.startsWith("[") ? `[${text}]` : text}/`);
  if (host === undefined || isIpAddress(host)) return host;
  const isName =
    host.length <= maxHostCharacters &&
    host.split(".").every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
  return isName ? host : undefined;
}

/** Whether the host has no registered domain, or every host right below it is a public suffix. */
function isOfStrangers(host: string): boolean {
  return (
    getDomain(host, suffixOptions) === null ||
    getPublicSuffix(`below.${host}`, suffixOptions) === `below.${host}`
  );
}

/** `host` is in network form. */
function isIpAddress(host: string): boolean {
  return host.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}
