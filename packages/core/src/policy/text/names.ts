import { findAddresses } from "./find-names.ts";
import { normalizeText } from "./normalize-text.ts";

/**
 * Normalization of addresses and hosts for comparison. Different spellings of one thing become
 * equal. Different things that look alike stay different.
 */

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
export function isPlainHost(host: string): boolean {
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
