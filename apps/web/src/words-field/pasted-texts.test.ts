import { describe, expect, it } from "vitest";
import { maxPastedTexts, withOwnText, withPasted, type PastedText } from "./pasted-texts.ts";

const mail = "Dear Mara,\nplease pay";

describe("withPasted", () => {
  it("adds what is more than a line, in order, each with its own id", () => {
    const first = withPasted([], mail, "");
    expect(first).toEqual([{ id: 1, text: mail }]);
    expect(withPasted(first ?? [], "a\nb", "")).toEqual([
      { id: 1, text: mail },
      { id: 2, text: "a\nb" },
    ]);
  });

  it.each(["jonas@lindqvist.example", "the offer of last Monday", "report.pdf\n"])(
    "leaves %j in the text",
    (text) => {
      expect(withPasted([], text, "")).toBeUndefined();
    },
  );

  it("leaves what was copied in the same field in the text, whatever its line ends", () => {
    expect(withPasted([], "a\r\nb", "a\nb")).toBeUndefined();
    expect(withPasted([], "a\nc", "a\nb")).toHaveLength(1);
  });

  it("joins texts beyond the limit of a request", () => {
    let texts: readonly PastedText[] = [];
    for (let count = 0; count <= maxPastedTexts; count++) texts = withPasted(texts, mail, "") ?? [];
    expect(texts).toHaveLength(maxPastedTexts);
    expect(texts.at(-1)).toEqual({ id: maxPastedTexts, text: `${mail}\n\n${mail}` });
  });
});

describe("withOwnText", () => {
  it.each([
    ["", "a\nb"],
    ["Words", "Words\na\nb"],
    ["Words:\n", "Words:\na\nb"],
  ])("puts the text behind %j", (words, result) => {
    expect(withOwnText(words, "a\nb")).toBe(result);
  });
});
