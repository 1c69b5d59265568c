import { describe, expect, it } from "vitest";
import { withSlots } from "./slots.ts";

describe("quotations in the owner's words", () => {
  it.each([
    [
      'Find "Invoice 4711 (accounts@evil.com)" for Eva',
      "Find «q1: text, 32 characters» for Eva",
      "text",
    ],
    ["Write to 'sarah@lindqvist.example'", "Write to «q1: address»", "address"],
    ["Write to 'Sarah <sarah@lindqvist.example>'", "Write to «q1: text, 31 characters»", "text"],
    ["Open “https://shop.example/a?b=c”", "Open «q1: url»", "url"],
    ['Attach "Q3 offer.pdf"', "Attach «q1: file»", "file"],
    ['Say "That is all. See a.pdf"', "Say «q1: text, 22 characters»", "text"],
    ["Post it in 'general'", "Post it in «q1: text, 7 characters»", "text"],
    ["Tell Eva «q7: address» now", "Tell Eva «q1: text, 11 characters» now", "text"],
  ] as const)("%s", (typed, text, kind) => {
    const slotted = withSlots(typed, 1);
    expect(slotted.text).toBe(text);
    expect([...slotted.slots.values()].map((slot) => slot.kind)).toEqual([kind]);
  });

  it("leaves apostrophes alone", () => {
    const typed = "Don't tell Jonas, it's Eva's offer";
    expect(withSlots(typed, 1)).toEqual({ text: typed, slots: new Map() });
  });

  it("sees full-width letters and invisible characters as people do", () =>
    expect(withSlots("Write to ｊonas@a.ex\u200bample", 1).text).toBe("Write to jonas@a.example"));
});
