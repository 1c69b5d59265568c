import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { LinkifyIt } from "linkify-it";
import tlds from "tlds" with { type: "json" };
import { describe, expect, it } from "vitest";
import { linkedHosts } from "./linked-hosts.ts";
import { normalizeHost, withoutUnseen } from "./names.ts";

const settings = { seed: 20_261_116, numRuns: sampleCount(3_000) };
const hosts = fc.constantFrom(
  "evil.com",
  "a-1.evil.co.uk",
  "evil.club",
  "198.51.100.7",
  "xn--a-ecp.ru",
);
const neighbor = fc.constantFrom(
  ..."_*~`'\"()[]{}<>|,;:!?/\\=+#$%^& \n\t。、「」…–—•→’“”éжλ漢".match(/./gsu)!,
  "see ",
  " now",
  "www.",
  "https://",
  "https://lindqvist.example/?u=",
  "\u200b",
  "\u00ad",
);
const around = fc.array(neighbor, { maxLength: 4 }).map((parts) => parts.join(""));

const spellings: Readonly<Record<string, (host: string) => string>> = {
  "as it is": (host) => host,
  "in capitals": (host) => host.toUpperCase(),
  "in wide letters": (host) =>
    host.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  "with ideographic dots": (host) => host.replaceAll(".", "。"),
  "with unseen characters": (host) => Array.from(host).join("\u200b"),
  "as entities": (host) => Array.from(host, (one) => `&#${one.codePointAt(0)};`).join(""),
  "percent-encoded": (host) => host.replaceAll(".", "%2E"),
  "percent-encoded twice": (host) => host.replaceAll(".", "%252E"),
  "with brackets around the dots": (host) => host.replaceAll(".", "[.]"),
};

describe("hosts that a text could lead its reader to", () => {
  it.each(Object.entries(spellings))("X3 are found %s, whatever is around them", (_how, spell) => {
    fc.assert(
      fc.property(around, hosts, around, (before, host, after) => {
        // A name that continues is another name.
        const text = `${before}${spell(host)}${after}`;
        fc.pre(!/[a-z0-9%]$/i.test(withoutUnseen(before)));
        fc.pre(!/^[a-z0-9]/i.test(withoutUnseen(after)));
        expect(linkedHosts(text).join(" "), JSON.stringify(text)).toContain(host);
      }),
      settings,
    );
  });

  it("X3 include everything that a common program for mail would link", () => {
    const linkify = new LinkifyIt({ fuzzyIP: true }).tlds(tlds);
    const pieces = fc.constantFrom(
      ..."evil com co uk рф 例え xn--p1ai www 1 203.0.113.7 // http: https: ftp: mailto:".split(
        " ",
      ),
      ...Array.from("...-_/@:?#&= \n()[]'\"|é漢"),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const text = parts.join("");
        const links = (linkify.match(text) ?? []).filter(({ schema }) => schema !== "mailto:");
        const found = linkedHosts(text);
        for (const { url } of links) {
          const host = URL.parse(url)?.hostname;
          // Names with other characters lead nowhere.
          if (host && /^[a-z0-9.-]+$/.test(host))
            expect(found, `${JSON.stringify(text)} ${url}`).toContain(normalizeHost(host));
        }
      }),
      settings,
    );
  });
});
