import fc from "fast-check";
import { expect, test } from "vitest";
import { digest } from "./slack.ts";

const words = fc
  .array(
    fc.constantFrom(
      "Agreed",
      "we",
      "ship",
      "Why",
      "not decided",
      "batteries",
      "confirmed",
      "Śruba",
      "3.5",
      "x",
      "Ja",
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => list.join(" "));
const text = fc
  .array(fc.tuple(words, fc.constantFrom(". ", "? ", "! ", "\n", " … ")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.flat().join(""));
const messages = fc.array(
  fc.record({
    ts: fc.uuid(),
    at: fc.constant("2026-11-12T09:00:00Z"),
    who: fc.constantFrom("Eva", "Jonas"),
    text,
    replies: fc.constant(0),
  }),
  { maxLength: 8 },
);

/** The quotes of a digest with their authors and headings. */
function quotesIn(lines: readonly string[]) {
  let heading = "";
  return lines.flatMap((line) => {
    const [, who = "", sentence = ""] = /^- [^,]+, ([^:]+): (.+)$/.exec(line) ?? [];
    if (who === "") heading = line;
    return who === "" ? [] : [{ heading, who, sentence }];
  });
}

test("attributes every sentence to its author", () => {
  fc.assert(
    fc.property(messages, (talk) => {
      for (const { heading, who, sentence } of quotesIn(digest(talk))) {
        expect(talk.some((one) => one.who === who && one.text.includes(sentence))).toBe(true);
        expect(sentence.endsWith("?")).toBe(heading === "Questions:");
      }
    }),
  );
});

test("skips no message, or says how many", () => {
  fc.assert(
    fc.property(messages, (talk) => {
      const lines = digest(talk);
      const quotes = quotesIn(lines);
      return (
        lines.some((line) => line.startsWith("(and ")) ||
        talk.every(
          ({ who, text: written }) =>
            quotes.some((one) => one.who === who && written.includes(one.sentence)) ||
            !/[\p{L}\d]/u.test(written),
        )
      );
    }),
  );
});

test.each([
  ["Agreed, 30 days from now on.", "Decisions:"],
  ["Decided: jig in January.", "Decisions:"],
  ["Still to be confirmed by Mara: PO-1.", "Other:"],
  ["This is not decided.", "Other:"],
  ["Is that decided?", "Questions:"],
] as const)("%s belongs to %s", (sentence, heading) => {
  const talk = [{ ts: "1", at: "2026-11-12", who: "Eva", text: sentence, replies: 0 }];
  expect(digest(talk)[0]).toBe(heading);
});
