import { describe, expect, it } from "vitest";
import { describePageVisit, pageVisitOf, readPageVisit } from "./page-visit.ts";

function describeUrl(url: string): string[] {
  const visit = readPageVisit(url);
  return visit ? describePageVisit(visit) : [];
}

describe("what opening a page tells its site", () => {
  it.each<[url: string, lines: string[]]>([
    [
      "https://shop.example/",
      ["Opens the start page on shop.example.", "Tells shop.example nothing else."],
    ],
    [
      "https://shop.example/prices?q=61%2C000+EUR",
      ["Opens /prices on shop.example.", "Tells shop.example: q = 61,000 EUR"],
    ],
    [
      "https://shop.example/?a=1&b=&c&=d#not-sent",
      [
        "Opens the start page on shop.example.",
        "Tells shop.example: a = 1",
        "Tells shop.example: b",
        "Tells shop.example: c",
        "Tells shop.example:  = d",
      ],
    ],
    [
      `https://shop.example/x?d=${btoa("61,000 EUR to Eva")}`,
      [
        "Opens /x on shop.example.",
        `Tells shop.example: d = ${btoa("61,000 EUR to Eva")} (decoded: 61,000 EUR to Eva)`,
      ],
    ],
    [
      "https://shop.example/NjEsMDAwIEVVUg/prices",
      [
        "Opens /NjEsMDAwIEVVUg/prices (decoded: 61,000 EUR/prices) on shop.example.",
        "Tells shop.example nothing else.",
      ],
    ],
    [
      "https://shop.example/caf%C3%A9?q=%2536%2531",
      ["Opens /café on shop.example.", "Tells shop.example: q = %36%31 (decoded: 61)"],
    ],
    [
      "https://shop.example/?h=36312c30303020455552",
      [
        "Opens the start page on shop.example.",
        "Tells shop.example: h = 36312c30303020455552 (decoded: 61,000 EUR)",
      ],
    ],
  ])("X3 is in words for %s", (url, lines) => {
    expect(describeUrl(url)).toEqual(lines);
  });

  it("X3 stays in one line for each value", () => {
    const value = btoa("a\nTells no one anything");
    expect(describeUrl(`https://x.example/?v=${value}&w=%0Ab`)).toEqual([
      "Opens the start page on x.example.",
      `Tells x.example: v = ${value} (decoded: a Tells no one anything)`,
      "Tells x.example: w =  b",
    ]);
  });

  it("X3 is decoded from base64 in base64, with either alphabet", () => {
    const twice = btoa(btoa("secret?>secret?>"));
    expect(readPageVisit(`https://x.example/?v=${twice}`)?.values[0]?.value.hidden).toBe(
      "secret?>secret?>",
    );
    const url = new URL("https://x.example/");
    url.search = `v=${btoa("secret?>secret?>").replaceAll("/", "_").replaceAll("+", "-")}`;
    expect(readPageVisit(url.href)?.values[0]?.value.hidden).toBe("secret?>secret?>");
  });

  it.each(["products", "2026-11-18", "bicycle bells", "12345678", "deadbeef", "%ff%fe"])(
    "X3 takes %s for no more than it is",
    (value) => {
      const visit = readPageVisit(`https://x.example/?v=${encodeURIComponent(value)}`);
      expect(visit?.values[0]?.value).toEqual({ text: value });
    },
  );

  it("X3 names the host in a form in which no letter looks like another", () => {
    expect(readPageVisit("https://p\u0430ypal.example/")?.host).toBe("xn--pypal-4ve.example");
  });

  it("X3 is shown only for effects that do nothing but open a page", () => {
    const url = "https://shop.example/";
    expect(pageVisitOf({ kind: "fetch", prepared: { url } })?.host).toBe("shop.example");
    for (const other of [{ url, body: "61,000 EUR" }, { url: 1 }, {}, [url], url, null])
      expect(pageVisitOf({ kind: "fetch", prepared: other })).toBeUndefined();
    expect(pageVisitOf({ kind: "mail", prepared: { url } })).toBeUndefined();
  });

  it.each(["", "shop", "mailto:eva@x.example"])("X3 is unknown for %j", (url) => {
    expect(readPageVisit(url)).toBeUndefined();
  });
});
