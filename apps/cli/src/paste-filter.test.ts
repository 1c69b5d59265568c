import { describe, expect, it } from "vitest";
import { createPasteFilter } from "./paste-filter.ts";

const paste = (text: string) => `\u001B[200~${text}\u001B[201~`;
const mail = "From: Eva\rSubject: Offer\rPay now\r";
const text = "From: Eva\nSubject: Offer\nPay now\n";

describe("a paste at a prompt", () => {
  it("is a mark in the line if it has several lines, and is read beside the words", () => {
    const { feed, read } = createPasteFilter();
    const line = feed("What does she want? ") + feed(paste(mail)) + feed(" Be brief");
    expect(line).toBe("What does she want? [pasted text 1: 3 lines] Be brief");
    expect(read(line)).toEqual({ words: "What does she want?  Be brief", pasted: [text] });
  });

  it("is typed text if it is one line, and its line end does not send it", () => {
    const { feed, read } = createPasteFilter();
    expect(feed(`Write to ${paste("eva@brandt.example\r")}`)).toBe("Write to eva@brandt.example");
    expect(read("Write to eva@brandt.example").pasted).toEqual([]);
  });

  it("is found wherever the terminal splits it", () => {
    const whole = `a ${paste(mail)} b\r`;
    for (let at = 1; at < whole.length; at++) {
      const { feed, read } = createPasteFilter();
      const line = feed(whole.slice(0, at)) + feed(whole.slice(at));
      expect(line).toBe("a [pasted text 1: 3 lines] b\r");
      expect(read(line).pasted).toEqual([text]);
    }
  });

  it("is dropped if its mark was deleted", () => {
    const { feed, read } = createPasteFilter();
    feed(paste(mail) + paste("a\nb"));
    expect(read("Hello [pasted text 2: 2 lines]")).toEqual({ words: "Hello", pasted: ["a\nb"] });
  });

  it("leaves keys alone", () => {
    expect(createPasteFilter().feed("a\u001B[A\u001B[Db\r")).toBe("a\u001B[A\u001B[Db\r");
  });
});
