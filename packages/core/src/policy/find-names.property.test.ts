import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAddresses, findBareUrls, findHost, findNamedHosts } from "./find-names.ts";
import {
  hostsIn,
  outgoingHosts,
  normalizeAddress,
  normalizeHost,
  textsIn,
  withoutUnseen,
} from "./names.ts";
import { normalizeText } from "./normalize-text.ts";

/**
 * The specification of these functions as patterns. They are easy to read, but quadratic on a long
 * text.
 */
const addressPattern =
  /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}.-]{1,253}\.[\p{L}\p{N}-]{2,63}/gu;
const bareUrlPattern =
  /(?<![\w/:@.-])(?:\/\/|www\.)[\p{L}\p{N}][\p{L}\p{N}.-]*\.[\p{L}]{2,63}[^\s<>"'`)\]}]*/giu;
const hostPattern = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|[0-9a-f]*:[0-9a-f:.]+/iu;
const namedHostPattern =
  /(?<![\w@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,63}(?![\w@-])/gu;
const urlPattern = /\b(?:https?|ftp):\/\/[^\s<>"'`)\]}]+/giu;

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
  it("URLs without a scheme", () => same(findBareUrls, (text) => text.match(bareUrlPattern) ?? []));
  it("the host of an authority", () => same(findHost, (text) => hostPattern.exec(text)?.[0]));
  it("hosts without a scheme", () =>
    same(findNamedHosts, (text) => text.match(namedHostPattern) ?? []));

  it("hosts of links in incoming text", () => same(hostsIn, hostsByPattern));

  it("hosts of links in outgoing text", () => {
    const linkPattern =
      /(?:[a-z][a-z0-9+.-]{0,20}:[/\\]+|(?<![\w:])[/\\]{2,})[^\s<>"]+|(?<![\p{L}\p{N}@._-])[\p{L}\p{N}][\p{L}\p{N}.-]{0,250}\.[\p{L}\p{N}-]{2,63}(?=[/?:#\\])[^\s<>"]*/giu;
    const entities: Readonly<Record<string, string>> = { colon: ":" };
    same(outgoingHosts, (text) => {
      const plain = withoutUnseen(text)
        .replaceAll(
          /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));?/gi,
          (whole, hex?: string, decimal?: string, name?: string) =>
            name === undefined
              ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
              : (entities[name.toLowerCase()] ?? whole),
        )
        .replaceAll(/(?<=:[/\\]*)[\t\r\n]+(?=[/\\])/g, "");
      const links = plain.match(linkPattern) ?? [];
      return [...new Set([...hostsByPattern(plain), ...links.flatMap(hostsOfLinkByPattern)])];
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

function hostsByPattern(text: string): string[] {
  const urls = text.match(urlPattern) ?? [];
  const bare = (text.match(bareUrlPattern) ?? []).map(
    (url) => `http://${url.replace(/^\/\//, "")}`,
  );
  return [
    ...new Set(
      [...urls, ...bare]
        .flatMap((url) => URL.parse(url)?.hostname ?? [])
        .map(hostByParsing)
        .filter(Boolean),
    ),
  ];
}

function hostsOfLinkByPattern(link: string): string[] {
  const [authority = ""] = link
    .replace(/^[a-z][a-z0-9+.-]*:(?=[/\\])/i, "")
    .replace(/^[/\\]+/, "")
    .split(/[/\\?#]/);
  const names = authority
    .split("@")
    .map((part) => /^\[([^\]]*)\]?/.exec(part)?.[1] ?? part.replace(/:\d*$/, ""));
  const hosts = names.flatMap((name) => hostPattern.exec(name)?.[0] ?? []).map(hostByParsing);
  return hosts.length > 0 ? hosts : authority === "" ? [] : [authority.toLowerCase().slice(0, 200)];
}
