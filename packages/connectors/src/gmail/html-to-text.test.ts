import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlToText } from "./html-to-text.ts";

/** Reference implementation as patterns. Easy to read, but quadratic on long texts. */
function wordsByPattern(html: string): string {
  return html
    .replaceAll(/<(script|style|title)\b[\s\S]*?<\/\1\s*>/gi, " ")
    .replaceAll(/<!--[\s\S]*?--!?>/g, " ")
    .replaceAll(/<(?:br|\/p|\/div|\/tr|\/h\d|\/li)\b[^>]*>/gi, "\n")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/\s*\n\s*/g, "\n");
}

describe("htmlToText", () => {
  it("agrees with the reference patterns", () => {
    const pieces = [
      "<",
      ">",
      "</",
      "/",
      "<script",
      "<SCRIPT>",
      "</script",
      "</Script >",
      "<style>",
      "</style>",
      "<title ",
      "</title>",
      "<scripts>",
      "<!--",
      "-->",
      "--!>",
      "--",
      "<br",
      "<br/>",
      "</p>",
      "</h1 class=a>",
      "</h",
      "</li",
      "<b>",
      "&",
      "amp;",
      "&amp;",
      "&lt;",
      "&gt;",
      "&nbsp;",
      "&quot;",
      "&amp;lt;",
      " ",
      "  ",
      "\t",
      "\n",
      "\r\n",
      "\u00a0",
      "\f",
      "a",
      "Wort",
      "é",
    ];
    const html = fc
      .array(fc.constantFrom(...pieces), { maxLength: 30 })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(html, (text) => {
        expect(htmlToText(text), JSON.stringify(text)).toBe(wordsByPattern(text));
      }),
      { seed: 20_260_801, numRuns: sampleCount(20_000) },
    );
  });

  it.each([
    ["Hi <style>p { color: red", "Hi "],
    ["Hi <!-- not shown", "Hi "],
    ["Hi <a href=x", "Hi "],
    ["Hi <br", "Hi\n"],
    ["Hi <b>you</b>", "Hi you "],
  ])("drops what is still open where the mail was cut: %s", (html, words) =>
    expect(htmlToText(html, { isCut: true })).toBe(words),
  );
});
