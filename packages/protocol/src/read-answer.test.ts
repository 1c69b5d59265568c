import { describe, expect, it } from "vitest";
import { expectedAnswer } from "./expected-answer.ts";
import type { AnswerSchema } from "./question.ts";
import { readAnswer } from "./read-answer.ts";

const cases: readonly (readonly [AnswerSchema, string, readonly string[], readonly string[]])[] = [
  [{ type: "string" }, "some text", ["", "yes"], []],
  [
    { type: "string", minLength: 2, maxLength: 3 },
    "text of 2 to 3 characters",
    ["ab", "abc", " abc "],
    ["a", "abcd"],
  ],
  [{ type: "string", minLength: 2 }, "text of at least 2 characters", ["ab"], ["a", " a "]],
  [{ type: "string", maxLength: 2 }, "text of at most 2 characters", ["ab"], ["abc"]],
  [
    { type: "string", format: "email" },
    "an email address",
    ["eva@a.example"],
    ["eva", "eva@", "Eva <eva@a.example>", "eva@a.example, b@a.example"],
  ],
  [
    { type: "string", format: "uri" },
    "a web address that starts with https:// or http://",
    ["https://a.example/x", "http://a.example"],
    ["a.example", "javascript:alert(1)", "file:///etc/passwd"],
  ],
  [
    { type: "string", format: "date" },
    "a date such as 2026-11-16",
    ["2026-02-28"],
    ["2026-02-30", "28.2.2026", "tomorrow"],
  ],
  [{ type: "number" }, "a number", ["-1.5", "0", "+3"], ["1,5", "1e3", "0x1", "NaN", "Infinity"]],
  [{ type: "number", minimum: 0 }, "a number, 0 or more", ["0"], ["-0.1"]],
  [{ type: "integer", maximum: 9 }, "a whole number, 9 or less", ["9", "2.0"], ["10", "1.5"]],
];

describe.each(cases)("an answer that must be %j", (schema, words, fitting, others) => {
  it(`is ${words}`, () => {
    expect(expectedAnswer(schema)).toBe(words);
    for (const text of fitting) expect(readAnswer(schema, text), text).toBeDefined();
    for (const text of others) expect(readAnswer(schema, text), text).toBeUndefined();
  });
});

describe("reading an answer", () => {
  it("returns numbers as numbers, and text without spaces around it", () => {
    expect(readAnswer({ type: "integer" }, " 12 ")).toBe(12);
    expect(readAnswer({ type: "string", format: "email" }, " eva@a.example\n")).toBe(
      "eva@a.example",
    );
  });

  it("returns any text as it is if there is no schema", () => {
    expect(readAnswer(null, " as it is ")).toBe(" as it is ");
  });
});
