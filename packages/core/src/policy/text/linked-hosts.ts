import tlds from "tlds" with { type: "json" };
import { findHost, hasMailbox } from "./find-names.ts";
import { isPlainHost, normalizeHost } from "./names.ts";
import { readingsOf } from "./text-readings.ts";

/** Names that no public resolver knows, but that a network or an example may use. */
const localDomains = [
  "example",
  "test",
  "invalid",
  "local",
  "localhost",
  "internal",
  "lan",
  "onion",
];
const topLevelDomains: ReadonlySet<string> = new Set([...tlds, ...localDomains]);
const maxHostCharacters = 253;
const maxLabelCharacters = 63;
/** File extensions that are also top-level domains. */
const fileEndings: ReadonlySet<string> = new Set(
  "zip md mov sh py ai app ps rs so pl cc".split(" "),
);

/** Whether the name could as well be that of a file, for example notes.md. */
export function endsLikeFile(name: string): boolean {
  return fileEndings.has(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
}

/**
 * Hosts that a reader of the text could be led to. Used both for what a run has read and for what
 * leaves it, so that a host is found in both or in neither. Errs on the side of too many: mail
 * programs and phones disagree on what is a link, so anything counts that one of them might open.
 */
export function linkedHosts(text: string): string[] {
  return hostsIn(readingsOf(text));
}

/** The same for the readings of a text. */
export function hostsIn(readings: readonly string[]): string[] {
  const hosts = readings.flatMap((reading) => [
    ...hostsOfLinks(reading),
    ...bareHosts(reading),
    ...longAddresses(reading),
  ]);
  return [...new Set(hosts)];
}

/** The end of a scheme with slashes of either kind, or slashes alone. */
const startOfAuthority = /(?<=[a-z0-9+.-]):[/\\]+|(?<![\w:])[/\\]{2,}/gi;

/** Hosts after a scheme or two slashes. Any name counts, whatever its top-level domain. */
export function hostsOfLinks(text: string): string[] {
  const authorities = new Set<string>();
  const authority = /[^\s<>"/\\?#]*/y;
  for (const { index, 0: opening } of text.matchAll(startOfAuthority)) {
    authority.lastIndex = index + opening.length;
    authorities.add(authority.exec(text)?.[0] ?? "");
  }
  return [...authorities].flatMap(hostsOfAuthority);
}

/** Programs disagree on where a user name ends in a link, so every interpretation counts. */
function hostsOfAuthority(authority: string): string[] {
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(authority) && isPlainHost(authority)) return [authority];
  const names = authority
    .split("@")
    .map((part) => /^\[([^\]]*)\]?/.exec(part)?.[1] ?? part.replace(/:\d*$/, ""));
  const hosts = names.flatMap((name) => findHost(name) ?? []).map(normalizeHost);
  if (hosts.length > 0 || authority === "") return hosts;
  const single = names.flatMap((name) => /[\p{L}\p{N}_-]+/u.exec(name)?.[0] ?? []);
  return (single.length > 0 ? single : [authority]).map((name) =>
    normalizeHost(name.slice(0, maxHostCharacters)),
  );
}

/**
 * Names that end in a top-level domain or continue with a path, and IPv4 addresses, whatever else
 * is before or after them. The text must be in lower case. The host of an email address does not count.
 */
export function bareHosts(text: string): string[] {
  const names = new Set<string>();
  const withPath = new Set<string>();
  let from = 0;
  for (let dot = text.indexOf("."); dot !== -1; dot = text.indexOf(".", Math.max(dot + 1, from))) {
    if (!isHostCharacter(text, dot + 1)) continue;
    const start = startOfName(text, dot, from);
    const end = endOfName(text, dot + 1);
    from = end;
    if (isAddressHost(text, start)) continue;
    const name = text.slice(start, end);
    names.add(name);
    if (/[/?:#\\]/.test(text.charAt(end))) withPath.add(name);
  }
  return [...[...names].flatMap(hostsInName), ...[...withPath].flatMap(nameBeforePath)];
}

/** A table, because a pattern for each character would take ten times as long. */
const isAsciiHostCharacter: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9-]/.test(String.fromCharCode(code)),
);

function isHostCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  // Surrogates count, because a pattern cannot tell what half a character is. Hosts can have emoji.
  return code < 128
    ? isAsciiHostCharacter[code] === true
    : (code >= 0xd800 && code <= 0xdfff) ||
        /[\p{L}\p{N}\p{M}\p{Extended_Pictographic}]/u.test(text.charAt(index));
}

function startOfName(text: string, dot: number, from: number): number {
  let start = dot;
  while (start > from && (text[start - 1] === "." || isHostCharacter(text, start - 1))) start--;
  return start;
}

function endOfName(text: string, from: number): number {
  let end = from;
  while (end < text.length && (text[end] === "." || isHostCharacter(text, end))) end++;
  return end;
}

function isAddressHost(text: string, start: number): boolean {
  return text[start - 1] === "@" && text[start - 2] !== "/" && hasMailbox(text, start - 1);
}

/** A name before a path counts as a whole, even if its top-level domain is unknown. */
function nameBeforePath(name: string): string[] {
  const isHost = name.length <= maxHostCharacters && /^[^.].*\.[\p{L}\p{N}-]{2,63}$/u.test(name);
  return isHost && !/^[\d.-]+$/.test(name) ? [normalizeHost(name)] : [];
}

/**
 * A name can directly follow a letter of another script, or be followed by one. Some programs leave
 * these letters out, so the parts in Latin letters count too.
 */
function hostsInName(name: string): string[] {
  const latin = /^[a-z0-9.-]*$/.test(name) ? [] : name.split(/[^a-z0-9.-]+/);
  return [name, ...latin].flatMap((part) => [
    ...part.split("..").flatMap(hostsWithDomain),
    ...internetAddresses(part),
  ]);
}

function hostsWithDomain(part: string): string[] {
  const labels = part.split(".").map(withoutHyphens).filter(Boolean);
  return part.length > maxHostCharacters ? pairsIn(labels) : hostOfLabels(labels);
}

/** Without those at the ends, where no host has them. */
function withoutHyphens(label: string): string {
  let [start, end] = [0, label.length];
  while (start < end && label[start] === "-") start++;
  while (end > start && label[end - 1] === "-") end--;
  return label.slice(start, end);
}

/** The longest part that ends in a top-level domain: `shop.example.They` names `shop.example`. */
function hostOfLabels(labels: readonly string[]): string[] {
  const last = labels.findLastIndex(isTopLevelDomain);
  return last < 1 ? [] : [normalizeHost(labels.slice(0, last + 1).join("."))];
}

/** No host is this long. Any two neighbors could be one for a program that takes less. */
function pairsIn(labels: readonly string[]): string[] {
  return labels.flatMap((label, index) => {
    const pair = [labels[index - 1] ?? "", label];
    return pair.every(({ length }) => length > 0 && length <= maxLabelCharacters)
      ? hostOfLabels(pair)
      : [];
  });
}

function isTopLevelDomain(label: string): boolean {
  return topLevelDomains.has(label) || label.startsWith("xn--");
}

const internetAddress = /(?<!\d)(?=((?:\d{1,3}\.){3}\d{1,3})(?!\d))/g;

/** IPv4 addresses. Parts of a longer list of numbers count too. */
function internetAddresses(name: string): string[] {
  return [...name.matchAll(internetAddress)].flatMap(([, address = ""]) => {
    const numbers = address.split(".").map(Number);
    return numbers.every((number) => number < 256) ? [numbers.join(".")] : [];
  });
}

const longAddress =
  /\[([0-9a-f:.]{2,45})\]|(?<![\w:])((?:[0-9a-f]{1,4})?(?::[0-9a-f.]{0,15}){2,8})(?![\w:])/g;

/** IPv6 addresses, in brackets or bare. A time of day is none, and neither is `a::b`. */
function longAddresses(text: string): string[] {
  return [...text.matchAll(longAddress)].flatMap(([, bracketed, bare = ""]) => {
    const address = bracketed ?? bare.replace(/\.+$/, "");
    const url = `http://[${address}]`;
    return /\d/.test(address) && URL.canParse(url)
      ? [normalizeHost(new URL(url).hostname.slice(1, -1))]
      : [];
  });
}
