import fc from "fast-check";
import { expect, test } from "vitest";
import { digestTalk } from "./digest-talk.ts";

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

test("attributes every sentence to its author", () => {
  fc.assert(
    fc.property(messages, fc.constantFrom([], ["batteries"]), (talk, topic) => {
      const { decisions, questions, others } = digestTalk(talk, topic);
      for (const { who, sentence } of [...decisions, ...questions, ...others])
        expect(talk.some((message) => message.who === who && message.text.includes(sentence))).toBe(
          true,
        );
      for (const { sentence } of questions) expect(sentence.endsWith("?")).toBe(true);
      for (const { sentence } of decisions) expect(sentence.endsWith("?")).toBe(false);
    }),
  );
});

test("skips no message", () => {
  fc.assert(
    fc.property(messages, (talk) => {
      const { decisions, questions, others } = digestTalk(talk, []);
      const said = [...decisions, ...questions, ...others];
      return talk.every(
        ({ who, text: written }) =>
          said.some((one) => one.who === who && written.includes(one.sentence)) ||
          !/[\p{L}\d]/u.test(written),
      );
    }),
  );
});

test.each([
  ["Agreed, 30 days from now on.", "decisions"],
  ["Decided: jig in January.", "decisions"],
  ["Still to be confirmed by Mara: PO-1.", "others"],
  ["This is not decided.", "others"],
  ["Is that decided?", "questions"],
  ["Beschlossen: wir liefern am Montag.", "decisions"],
  ["C'est décidé.", "decisions"],
] as const)("%s belongs to the %s", (sentence, where) => {
  expect(
    digestTalk([{ ts: "1", at: "2026-11-12", who: "Eva", text: sentence, replies: 0 }], [])[where],
  ).toHaveLength(1);
});
