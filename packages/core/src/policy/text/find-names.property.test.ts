import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAddresses, findHost } from "./find-names.ts";
import { hostsOfLinks } from "./linked-hosts.ts";
import { normalizeAddress, normalizeHost, textsIn } from "./names.ts";
import { normalizeText } from "./normalize-text.ts";

/**
 * The specification of these functions as patterns. They are easy to read, but quadratic on a long
 * text.
 */
const addressPattern =
  /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}.-]{1,253}\.[\p{L}\p{N}-]{2,63}/gu;
const hostPattern = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|[0-9a-f]*:[0-9a-f:.]+/iu;

const pieces = [
  "a",
  "b",
  "f",
  "é",
  "ж",
  "𝒜",
  "1",
  "0x1",
  ".",
  ".",
  "-",
  "_",
  "@",
  ":",
  "/",
  "//",
  "\\",
  "www.",
  "WWW.",
  "http://",
  "https:",
  "ftp://",
  "xn--",
  "xn--a-",
  "\u0345",
  "ſ",
  "K",
  "\ud800",
  "\udc00",
  " ",
  "\t",
  "\n",
  "<",
  ">",
  '"',
  "'",
  "`",
  ")",
  "?",
  "#",
  "[",
  "]",
  "&colon;",
  "&#47;",
  "&#x2f;",
  "\u00ad",
  "%41",
  "com",
  "example.com",
  "a".repeat(63),
  "é".repeat(64),
  "a.".repeat(126),
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((deps) => deps.join(""));
const runs = { seed: 20_260_801, numRuns: sampleCount(6_000) };

function same(read: (text: string) => unknown, expected: (text: string) => unknown): void {
  fc.assert(
    fc.property(texts, (text) => {
      expect(read(text), JSON.stringify(text)).toEqual(expected(text));
    }),
    runs,
  );
}

describe("the functions find the same names as the patterns", () => {
  it("addresses", () => same(findAddresses, (text) => text.match(addressPattern) ?? []));
  it("the host of an authority", () => same(findHost, (text) => hostPattern.exec(text)?.[0]));

  it("hosts of links", () => {
    const linkPattern = /(?:(?<=[a-z0-9+.-]):[/\\]+|(?<![\w:])[/\\]{2,})(?=([^\s<>"/\\?#]*))/gi;
    same(hostsOfLinks, (text) => {
      const authorities = [...text.matchAll(linkPattern)].map(([, authority = ""]) => authority);
      return [...new Set(authorities)].flatMap(hostsOfAuthority);
    });
  });

  it("hosts in network form", () => same(normalizeHost, hostByParsing));

  it("normalized addresses", () => {
    same(normalizeAddress, (text) => {
      const clean = (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text)
        .trim()
        .normalize("NFKC")
        .toLowerCase();
      const at = clean.lastIndexOf("@");
      return at === -1 ? clean : `${clean.slice(0, at)}@${hostByParsing(clean.slice(at + 1))}`;
    });
  });

  it("normalized text", () => {
    for (const form of ["NFC", "NFKC", "NFKD"] as const)
      same(
        (text) => normalizeText(text, form),
        (text) => text.normalize(form),
      );
    const marks = fc
      .array(fc.constantFrom("a", "\u0301", "\u0316", "\uff9e", "ﾊ", "\u0f73", "한", "\u1161"), {
        maxLength: 30,
      })
      .map((deps) => deps.join(""));
    for (const form of ["NFC", "NFKC", "NFKD"] as const)
      fc.assert(
        fc.property(marks, (text) => {
          expect(normalizeText(text, form)).toBe(text.normalize(form));
        }),
        runs,
      );
  });

  it("every string of a value, in order", () => {
    const flat = (value: unknown): string[] => {
      if (typeof value === "string") return [value];
      if (Array.isArray(value)) return value.flatMap(flat);
      return typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([key, member]) => [key, ...flat(member)])
        : [];
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(textsIn(value)).toEqual(flat(value));
      }),
      { seed: runs.seed },
    );
  });
});

function hostByParsing(host: string): string {
  const clean = host.trim().normalize("NFKC").toLowerCase().replace(/\.$/, "");
  return URL.parse(`http://${clean}`)?.hostname ?? clean;
}

function hostsOfAuthority(authority: string): string[] {
  const names = authority
    .split("@")
    .map((part) => /^\[([^\]]*)\]?/.exec(part)?.[1] ?? part.replace(/:\d*$/, ""));
  const hosts = names.flatMap((name) => hostPattern.exec(name)?.[0] ?? []).map(hostByParsing);
  if (hosts.length > 0 || authority === "") return hosts;
  const single = names.flatMap((name) => /[\p{L}\p{N}_-]+/u.exec(name)?.[0] ?? []);
  return (single.length > 0 ? single : [authority]).map((name) =>
    hostByParsing(name.slice(0, 253)),
  );
}
