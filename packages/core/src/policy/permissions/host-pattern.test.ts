import { describe, expect, it } from "vitest";
import { hostOfUrl, matchesHost, parseHostPattern } from "./host-pattern.ts";

describe("parseHostPattern", () => {
  it.each([
    ["example.com", "example.com"],
    [" Example.COM ", "example.com"],
    ["EXAMPLE.com.", "example.com"],
    ["*.Example.com", "*.example.com"],
    ["*.a.b.example.co.uk", "*.a.b.example.co.uk"],
    ["*.shop.github.io", "*.shop.github.io"],
    ["Müller.example", "xn--mller-kva.example"],
    ["*.müller.example", "*.xn--mller-kva.example"],
    ["ｅｘａｍｐｌｅ．ｃｏｍ", "example.com"],
    ["localhost", "localhost"],
    ["203.0.113.7", "203.0.113.7"],
    ["2001:DB8::1", "[2001:db8::1]"],
    ["_dmarc.example.com", "_dmarc.example.com"],
  ])("reads %j as %s", (text, pattern) => {
    expect(parseHostPattern(text)).toBe(pattern);
    expect(parseHostPattern(pattern)).toBe(pattern);
  });

  it.each([
    "",
    "*",
    "*.",
    "*.*.example.com",
    "*example.com",
    "www.*.com",
    "example.*",
    "**.example.com",
    "*.com",
    "*.co.uk",
    "*.github.io",
    "*.kawasaki.jp",
    "*.ck",
    "*.localhost",
    "*.-a.example.com",
    "*.internal",
    "*.203.0.113.7",
    "*.113.7",
    "*.0x7f.1",
    "*.[2001:db8::1]",
    "https://example.com",
    "example.com/path",
    "example.com:443",
    "[2001:db8::1]:80",
    "user@example.com",
    "example.com\\evil.net",
    "example.com?x",
    "example.com#x",
    "example.com, evil.net",
    "exa mple.com",
    "exam%70le.com",
    "a..example.com",
    ".example.com",
    "℀.example.com",
    `${"a".repeat(64)}.example.com`,
    `${"a.".repeat(130)}com`,
  ])("rejects %j", (text) => {
    expect(parseHostPattern(text)).toBeUndefined();
  });
});

describe("matchesHost", () => {
  const verdicts = (pattern: string, url: string) =>
    (["allow", "restrict"] as const).map((purpose) =>
      matchesHost(pattern, hostOfUrl(url), purpose),
    );

  it.each([
    ["example.com", "https://example.com/a?b#c"],
    ["example.com", "http://EXAMPLE.com.:8080/"],
    ["example.com", "https://user:secret@example.com/"],
    ["example.com", "https:\\\\example.com\\x"],
    ["*.example.com", "https://a.example.com"],
    ["*.example.com", "https://a.b.example.com."],
    ["xn--mller-kva.example", "https://MÜLLER.example"],
    ["203.0.113.7", "http://0xcb.0.113.7"],
  ])("X3 matches %s with %s", (pattern, url) => {
    expect(verdicts(pattern, url)).toEqual([true, true]);
  });

  it.each([
    ["example.com", "https://www.example.com"],
    ["*.example.com", "https://example.com"],
    ["example.com", "https://example.com.evil.net"],
    ["*.example.com", "https://a.example.com.evil.net"],
    ["example.com", "https://evil-example.com"],
    ["*.example.com", "https://evil-example.com"],
    ["*.example.com", "https://evilexample.com"],
    ["example.com", "https://example.com@evil.net/"],
    ["example.com", "https://example.com:443@evil.net/"],
    ["example.com", "https://evil.net/example.com"],
    ["example.com", "https://evil.net\\@example.com"],
    ["example.com", "https://evil.net#@example.com"],
    ["example.com", "https://еxample.com"],
    ["example.com", "https://xn--xample-2of.com"],
    ["*.7", "https://203.0.113.7"],
  ])("X3 does not match %s with %s", (pattern, url) => {
    expect(verdicts(pattern, url)).toEqual([false, false]);
  });

  it("X3 does not allow hosts of customers below a suffix that stands below the pattern", () => {
    expect(verdicts("*.amazonaws.com", "https://shop.s3.amazonaws.com")).toEqual([false, true]);
    expect(verdicts("*.amazonaws.com", "https://console.amazonaws.com")).toEqual([true, true]);
  });

  it("X3 denies hosts with odd names, and does not allow them", () => {
    expect(verdicts("*.example.com", "https://-a_.example.com")).toEqual([false, true]);
  });

  it("X3 denies what cannot be read, and does not allow it", () => {
    for (const url of [
      "not a url",
      "https://",
      "https://a b/",
      "mailto:a@b.example",
      "http://1.2.3.4.5",
    ])
      expect(verdicts("example.com", url), url).toEqual([false, true]);
  });
});
