import { describe, expect, it } from "vitest";
import { emlOf } from "./fixtures/mail-files.fixture.ts";
import { invoicePng, pngBomb } from "./fixtures/image-files.fixture.ts";
import { parserCommand } from "./isolation/parser-command.ts";
import { parseDocument } from "./parse-document.ts";

describe("an image", () => {
  it("returns its text with a warning about its reliability", async () => {
    const progress: number[] = [];
    const document = await parseDocument({
      bytes: invoicePng(),
      name: "scan.png",
      onProgress: ({ done }) => progress.push(done),
    });
    expect(document).toMatchObject({
      kind: "image",
      text: "Invoice 4711\nTotal 1234.50 EUR",
      warnings: [expect.stringContaining("recognized in an image")],
    });
    expect(progress.length).toBeGreaterThan(3);
  });

  it("is read as an attachment of a mail", async () => {
    const bytes = emlOf(["Subject: scan"], { type: "text/plain", content: "see" }, [
      { type: "image/png", name: "scan.png", content: invoicePng() },
    ]);
    expect((await parseDocument({ bytes })).attachments).toMatchObject([
      { name: "scan.png", document: { kind: "image", text: expect.stringContaining("1234.50") } },
    ]);
  });

  it("is rejected with installation instructions if text recognition is missing", async () => {
    const isolation = { level: "permission", command: parserCommand([]) } as const;
    await expect(
      parseDocument({ bytes: invoicePng(), name: "scan.png", isolation }),
    ).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("npm install tesseract.js @tesseract.js-data/eng"),
    });
  });

  it("with too many pixels is rejected before decoding", async () => {
    await expect(parseDocument({ bytes: pngBomb(), name: "scan.png" })).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("60000 by 60000 pixels"),
    });
  });

  it("that is damaged is rejected with a reason", async () => {
    const whole = invoicePng();
    const noise = Buffer.concat([whole.subarray(0, 60), Buffer.alloc(400, 7)]);
    for (const bytes of [whole.subarray(0, 20), noise])
      await expect(parseDocument({ bytes })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("The image is damaged"),
      });
  });
});
