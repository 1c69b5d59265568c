import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffWords } from "./diff-words.ts";

const textOf = (pieces: ReturnType<typeof diffWords>, without: "gone" | "new") =>
  pieces
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join("");

describe("diffWords", () => {
  it("X1 marks removed and added words and keeps the rest", () => {
    expect(diffWords("Dear Jonas, the sum is 40 euros.", "Dear Eva, the sum is 45 euros.")).toEqual(
      [
        { kind: "same", text: "Dear " },
        { kind: "gone", text: "Jonas, " },
        { kind: "new", text: "Eva, " },
        { kind: "same", text: "the sum is " },
        { kind: "gone", text: "40 " },
        { kind: "new", text: "45 " },
        { kind: "same", text: "euros." },
      ],
    );
  });

  it("X1 contains all of both texts", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", " ", "\n", "word", "  "), { maxLength: 30 })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = diffWords(before, after);
        expect(textOf(pieces, "new")).toBe(before);
        expect(textOf(pieces, "gone")).toBe(after);
      }),
    );
  });

  it("shows very long texts that have little in common as replaced", () => {
    const [before, after] = ["a ", "b "].map((word) => word.repeat(5_000));
    expect(diffWords(before ?? "", after ?? "").map(({ kind }) => kind)).toEqual(["gone", "new"]);
  });
});
