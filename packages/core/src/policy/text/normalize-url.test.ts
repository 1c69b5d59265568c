import { describe, expect, it } from "vitest";
import { normalizeUrl, siteOf, urlsIn } from "./normalize-url.ts";

describe("URLs of one page", () => {
  it.each([
    ["https://shop.example/tubes", "shop.example/tubes"],
    ["http://www.Shop.example:80/tubes/#offers", "shop.example/tubes"],
    ["shop.example/tubes?b=2&a=1", "shop.example/tubes?b=2&a=1"],
    ["www.shop.example", "shop.example"],
    ["https://shop.example:8443/", "shop.example:8443"],
    ["https://ｓｈｏｐ.example/A%20b", "shop.example/A%20b"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
  ])("%s is %s", (url, normal) => expect(normalizeUrl(url)).toBe(normal));

  it.each([
    "ftp://shop.example/",
    "javascript:alert(1)",
    "https://user:pass@shop.example/",
    "https://shop/",
    "not a url",
    `https://shop.example/${"a".repeat(2_000)}`,
  ])("%s is none", (url) => expect(normalizeUrl(url)).toBeUndefined());

  it("differ in path and query, whose letters count", () => {
    const urls = [
      "a.example/x",
      "a.example/X",
      "a.example/x?d=1",
      "a.example/x?d=2",
      "b.example/x",
    ];
    expect(new Set(urls.map(normalizeUrl)).size).toBe(urls.length);
    expect(urls.map((url) => siteOf(normalizeUrl(url) ?? ""))).toEqual([
      ...Array.from({ length: 4 }, () => "a.example"),
      "b.example",
    ]);
  });

  it("are found in text with a scheme, without the punctuation after them", () =>
    expect(
      urlsIn("See https://a.example/x, (http://www.b.example/y). a.example/z <https://c.example>!"),
    ).toEqual(["a.example/x", "b.example/y", "c.example"]));
});
