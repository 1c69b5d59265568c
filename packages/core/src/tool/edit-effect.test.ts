import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffFields, typedWords } from "./edit-effect.ts";

const text = fc
  .array(
    fc.constantFrom("eva@x.example", "mallory@x.example", "http://x.example", "hello", "Eva"),
    { maxLength: 5 },
  )
  .map((words) => words.join(" "));
const form = fc.record({ to: fc.array(text, { maxLength: 3 }), text });
const wordsOf = (value: unknown) => new Set(JSON.stringify(value).match(/[^\s"[\]{},]+/g) ?? []);

describe("the owner's text in an edit", () => {
  it("X3 never includes a word that was there before, in any place", () => {
    fc.assert(
      fc.property(form, form, (before, after) => {
        const typed = typedWords(before, after).split(" ").filter(Boolean);
        const known = wordsOf([before.to, before.text]);
        for (const word of typed) expect(known.has(word)).toBe(false);
        for (const word of wordsOf([after.to, after.text]))
          expect(known.has(word) || typed.includes(word)).toBe(true);
      }),
    );
  });

  it("X3 does not include a host that stood there in another form", () => {
    const before = { text: "Log in: https://evil.com/login or evil.com" };
    for (const text of ["Log in: https://evil.com/login or evil.com,", "(evil.com)", "EVIL.com/x"])
      expect(typedWords(before, { text }), text).not.toContain("vil");
  });

  it("is shown field by field, without unchanged fields", () => {
    fc.assert(
      fc.property(form, form, (before, after) => {
        const changed = diffFields(before, after).map(({ field }) => field);
        expect(changed.includes("text")).toBe(before.text !== after.text);
        expect(changed.includes("to")).toBe(JSON.stringify(before.to) !== JSON.stringify(after.to));
        expect(diffFields(before, { ...before })).toEqual([]);
      }),
    );
  });
});
