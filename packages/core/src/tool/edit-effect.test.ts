import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentValues } from "../policy/text/content-values.ts";
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

  it.each([
    "DE02120300000000202051,",
    "(DE02120300000000202051)",
    "de02120300000000202051",
    "DE02 1203 0000 0000 2020 51",
    "DE02-1203-0000-0000-2020-51",
    "DE02 120300000000202051",
    "DE02\u00a01203\u00a00000\u00a00000\u00a02020\u00a051",
    "4111111111111111",
    "4111-1111-1111-1111",
    '"0x52908400098527886E0F7030069857D2E4169EE7"',
    "tel:+49-30-123456",
    "evil (dot) com",
  ])("X3 does not include an account that was there in another form: %s", (respelled) => {
    const before = {
      text: "Pay DE02120300000000202051 or 4111 1111 1111 1111 or 0x52908400098527886E0F7030069857D2E4169EE7, tel:+4930123456, evil.com",
    };
    const { hosts, values } = contentValues(
      typedWords(before, { text: `Please pay ${respelled}` }),
    );
    expect([...hosts, ...values]).toEqual([]);
  });

  it("X3 includes another account, in groups too", () => {
    const before = { text: "Pay to DE02120300000000202051" };
    const after = { text: "Pay to DE89 3704 0044 0532 0130 00" };
    expect(contentValues(typedWords(before, after)).values).toEqual(["DE89370400440532013000"]);
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
