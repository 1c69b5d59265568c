import { describe, expect, it } from "vitest";
import { readFileMention, wordsBesideName } from "./file-mention.ts";

const beside = (mention: string, filename: string) =>
  wordsBesideName(readFileMention(mention), filename);

describe("a file that the owner mentions", () => {
  it.each([
    ["invoice-march.txt", "invoice-march.txt", []],
    ["Invoice-March.TXT", "invoice-march.txt", []],
    ["invoice-march.txt, which Eva sent", "invoice-march.txt", ["eva"]],
    ["Eva's invoice-march.txt", "invoice-march.txt", ["eva"]],
    ["die rechnung.pdf von Eva Brandt", "rechnung.pdf", ["eva", "brandt"]],
    ["Invoice March.pdf", "Invoice March.pdf", []],
    ["the March invoice", "invoice-march.pdf", []],
    ["the March invoice from Eva", "invoice-march.pdf", ["eva"]],
  ])("may be one of this name: %s, %s", (mention, filename, words) =>
    expect(beside(mention, filename)).toEqual(words),
  );

  it.each([
    ["invoice-march.txt", "invoice-march.txt.exe"],
    ["invoice-march.txt", "my invoice-march.txt"],
    ["invoice-march.txt", "invoice-april.txt"],
    ["invoice-march.txt", "invoice\u2010march.txt"],
    ["invoice-march.txt", "inv\u043eice-march.txt"],
    ["the March invoice", "photo.jpg"],
  ])("is not one of another name: %s, %s", (mention, filename) =>
    expect(beside(mention, filename)).toBeUndefined(),
  );
});
