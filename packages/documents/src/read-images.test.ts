import { describe, expect, it } from "vitest";
import { emlOf } from "./fixtures/mail-files.fixture.ts";
import { invoicePng, pngBomb } from "./fixtures/image-files.fixture.ts";
import { parserCommand } from "./isolation/parser-command.ts";
import { parseDocument } from "./parse-document.ts";

describe("an image", () => {
  it("gives the text that it shows, with a word on how far to trust it", async () => {
    const progress: number[] = [];
    const document = await parseDocument({
      bytes: invoicePng(),
      name: "scan.png",
      onProgress: ({ done }) => progress.push(done),
    });
    expect(document).toMatchObject({
      kind: "image",
      text: "Invoice 4711\nTotal 1234.50 EUR",
      warnings: [expect.stringContaining("recognised in an image")],
    });
    expect(progress.length).toBeGreaterThan(3);
  });

  it("is read as what a mail carries, too", async () => {
    const bytes = emlOf(["Subject: scan"], { type: "text/plain", content: "see" }, [
      { type: "image/png", name: "scan.png", content: invoicePng() },
    ]);
    expect((await parseDocument({ bytes })).attachments).toMatchObject([
      { name: "scan.png", document: { kind: "image", text: expect.stringContaining("1234.50") } },
    ]);
  });

  it("is refused with a word on what to install, where reading images is not", async () => {
    const isolation = { level: "permission", command: parserCommand([]) } as const;
    await expect(
      parseDocument({ bytes: invoicePng(), name: "scan.png", isolation }),
    ).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("npm install tesseract.js @tesseract.js-data/eng"),
    });
  });

  it("of too many pixels is refused before it is decoded", async () => {
    await expect(parseDocument({ bytes: pngBomb(), name: "scan.png" })).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("60000 by 60000 pixels"),
    });
  });

  it("that is damaged is refused in words", async () => {
    const whole = invoicePng();
    const noise = Buffer.concat([whole.subarray(0, 60), Buffer.alloc(400, 7)]);
    for (const bytes of [whole.subarray(0, 20), noise])
      await expect(parseDocument({ bytes })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("The image is damaged"),
      });
  });
});
