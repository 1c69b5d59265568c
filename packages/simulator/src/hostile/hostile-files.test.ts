import { describe, expect, test } from "vitest";
import {
  csvWithCell,
  docxWithHiddenText,
  pdfWithWhiteText,
  sheetWithHiddenCell,
} from "./hostile-files.ts";
import { pdfOperators, pdfText, zipText } from "./read-file.fixture.ts";

const file = { filename: "file", visible: ["Seen;1"], hidden: "Not seen" };

describe("a file that hides something", () => {
  test("is a PDF that draws it in white, and the rest in black", async () => {
    const bytes = Buffer.from((await pdfWithWhiteText(file)).content);
    expect(pdfText(bytes)).toBe("Seen;1\nNot seen");
    expect(pdfOperators(bytes).match(/[\d.]+ [\d.]+ [\d.]+ rg/g)).toEqual(["0 0 0 rg", "1 1 1 rg"]);
  });

  test("is a Word file whose hidden run has Word's own mark", async () => {
    const xml = zipText(Buffer.from((await docxWithHiddenText(file)).content));
    const runs = [...xml.matchAll(/<w:r>.*?<\/w:r>/g)].map(([run]) => ({
      isHidden: run.includes("<w:vanish/>"),
      text: run.replace(/<[^>]+>/g, ""),
    }));
    // The runs of footnotes have no text.
    expect(runs.filter(({ text }) => text !== "")).toEqual([
      { isHidden: false, text: "Seen;1" },
      { isHidden: true, text: "Not seen" },
    ]);
  });

  test("is a sheet with a cell far to the right", async () => {
    const xml = zipText(Buffer.from((await sheetWithHiddenCell(file)).content));
    expect(xml).toContain("Not seen");
    expect(xml).toMatch(/<c r="Y2"/);
  });

  test("is a CSV file with one more row", () =>
    expect(
      Buffer.from(csvWithCell({ ...file, hidden: 'a "quoted" one' }).content).toString("utf8"),
    ).toBe('\ufeffSeen;1\r\n"a ""quoted"" one";0;0,00\r\n'));
});
