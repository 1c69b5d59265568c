import { describe, expect, it } from "vitest";
import { readOwnerWords } from "../owner-words/named-by-owner.ts";

const host = "forms.example";
const hasLinks = (typed: string, text: string, name = host) =>
  readOwnerWords(typed).hasLinks(name, text);

describe("links to a host that the owner typed", () => {
  it.each([
    ["Send https://forms.example/d/a", "See https://forms.example/d/a."],
    ["Send https://forms.example/d/a", "See forms.example/d/a/ (today)"],
    ["Send https://forms.example/d/a", "See https://FORMS.example/d/a"],
    ["Send https://forms.example/d/a?b=c#d", "[here](https://forms.example/d/a?b=c#d)"],
    ["Send https://www.forms.example/d/a", "See forms.example/d/a"],
    ["Is forms.example down?", "I think that forms.example is down."],
    ["Is forms.example down?", "Is it https://www.forms.example/?"],
    ["Send https://forms.example/d/a", "“https://forms.example/d/a”, (https://forms.example/d/a)."],
    ["Send https://forms.example/d/a", "**https://forms.example/d/a**, _forms.example/d/a_"],
    ["Send https://forms.example/d/a", "[https://forms.example/d/a](https://forms.example/d/a)"],
    ["Send https://forms.example/d/a", "<https://forms.example/d/a>"],
    ["Send https://forms.example/d/(a)", "See (https://forms.example/d/(a))."],
    ["Send 'https://forms.example/d/a' to Eva", "See https://forms.example/d/a"],
    ["Send https://forms.example/d/a (the form)", "See https://forms.example/d/a"],
  ])("%s covers %s", (typed, text) => expect(hasLinks(typed, text)).toBe(true));

  it.each<[string, string]>([
    ["Send https://forms.example/d/a", "See https://forms.example/d/b"],
    ["Send https://forms.example/d/a", "See https://forms.example/d/A"],
    ["Send https://forms.example/d/a", "See https://forms.example/d/a?next=1"],
    ["Send https://forms.example/d/a", "See https://forms.example/d/a and forms.example/d/b"],
    ["Send https://forms.example/d/a", "See https://forms.example/d/a%2e%2e/b"],
    ["Is forms.example down?", "See forms.example:8443"],
    ["Is forms.example down?", "See https://forms.example./d"],
    ["Is forms.example down?", "See https://forms.example。/d"],
    ...[
      "_",
      "~",
      "*",
      "(b)",
      "'b",
      '"b"',
      "`b",
      "|b",
      "|/../b>",
      "{b}",
      "[b]",
      "^b",
      "’b",
      "«b",
      "”/b",
      ")b",
      "]/b",
    ].map(
      (more) =>
        ["Send https://forms.example/d/a", `See https://forms.example/d/a${more}`] as [
          string,
          string,
        ],
    ),
    ["Send https://forms.example/d/a", `See https://forms.example/d/a${"?".repeat(2_000)}b`],
    ["Is forms.example down?", "See forms.example\\\\d"],
    ["Is forms.example down?", `See ${btoa("https://forms.example/d/b")}`],
  ])("%s does not cover %s", (typed, text) => expect(hasLinks(typed, text)).toBe(false));

  it("finds other spellings of the host", () => {
    const name = "xn--mller-kva.example";
    expect(hasLinks("Open müller.example/a", "müller.example/a", name)).toBe(true);
    expect(hasLinks("Open müller.example/a", "MÜLLER.example/b", name)).toBe(false);
  });
});
