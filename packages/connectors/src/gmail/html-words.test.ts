import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsOf } from "./html-words.ts";

/** What it promises, as patterns: easy to read, and quadratic on a long text. */
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

describe("the words of an HTML mail", () => {
  it("are what the patterns find", () => {
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
      .map((deps) => deps.join(""));
    fc.assert(
      fc.property(html, (text) => {
        expect(wordsOf(text), JSON.stringify(text)).toBe(wordsByPattern(text));
      }),
      { seed: 20_260_801, numRuns: 20_000 },
    );
  });

  it.each([
    ["Hi <style>p { color: red", "Hi "],
    ["Hi <!-- not shown", "Hi "],
    ["Hi <a href=x", "Hi "],
    ["Hi <br", "Hi\n"],
    ["Hi <b>you</b>", "Hi you "],
  ])("leave out what is open where the mail was cut: %s", (html, words) =>
    expect(wordsOf(html, { isCut: true })).toBe(words),
  );
});
