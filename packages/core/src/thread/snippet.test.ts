import { expect, test } from "vitest";
import { snippetOf } from "./snippet.ts";

const long = `${"before ".repeat(60)}the Zeppelin landed.\n\n${"after ".repeat(60)}`;

test("RT12 shows the words around what was found, in one line that begins with a word", () => {
  const snippet = snippetOf({ title: "x", texts: ["", long] }, ["zeppelin"]) ?? "";
  expect(snippet).toMatch(/^…before (?:before )*the Zeppelin landed\. after .*…$/);
  expect(snippet.length).toBeLessThan(185);
});

test.each([
  [["Together.", "He and her."], ["her"], "He and her."],
  [["One heron.", "A heron and an egret."], ["heron", "egr"], "A heron and an egret."],
  [["To a@lisbon.example"], ["lisbon"], "To a@lisbon.example"],
  [["Nothing"], ["other"], null],
  [["Find the boat in my mail and tell me"], ["boat"], null],
  [["Find the boat in my mail and tell me"], ["tell"], "Find the boat in my mail and tell me"],
])("RT12 finds in %j the words %j", (texts, words, expected) => {
  expect(snippetOf({ title: "Find the boat…", texts }, words)).toBe(expected);
});
