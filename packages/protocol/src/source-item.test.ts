import { describe, expect, it } from "vitest";
import { describeItem, type SourceItem } from "./source-item.ts";

const day = () => "11 Nov";

describe("X3 a source in words", () => {
  it.each<[SourceItem, string]>([
    [
      {
        kind: "email",
        title: "Invoice 4711",
        author: "Rachel Stone <rachel@stone.example>",
        date: "2026-11-11T10:00:00Z",
      },
      "the email “Invoice 4711” from Rachel Stone (rachel@stone.example), 11 Nov",
    ],
    [
      { kind: "email", title: "Hi", author: "<eva@x.example>" },
      "the email “Hi” from eva@x.example",
    ],
    [{ kind: "file", title: "a.pdf" }, "the file “a.pdf”"],
    [
      { kind: "message", title: "#team", author: "Eva", date: "2026-11-11" },
      "a message from Eva in “#team”, 11 Nov",
    ],
    [{ kind: "page", title: "Offers", author: "x.example" }, "the page “Offers” from x.example"],
    [{ kind: "note", title: "Shopping" }, "your note “Shopping”"],
  ])("%j", (item, words) => {
    expect(describeItem(item, day)).toBe(words);
  });

  it("spells out characters that hide text, and ignores a date that is none", () => {
    const item: SourceItem = { kind: "email", title: "a\u202Eb", author: "x", date: "soon" };
    expect(describeItem(item, day)).toBe("the email “a\\u{202e}b” from x");
  });
});
