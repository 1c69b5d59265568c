import { describe, expect, it } from "vitest";
import { readInside } from "../../fixtures/read-inside.fixture.ts";
import { docxOf, headerFile, macroFile, paragraph, wordTable } from "../../fixtures/word-files.fixture.ts";

describe("a Word document", () => {
  it("gives its text and its tables, in place and by themselves", async () => {
    const document = await readInside(docxOf(`${paragraph("Invoice &amp; more")}${wordTable([["Item", "Price"], ["Bolt", "1,50"]])}${paragraph("Thanks")}`), { name: "a.docx" });
    expect(document).toMatchObject({ kind: "docx", warnings: [], text: "Invoice & more\n\nItem\tPrice\nBolt\t1,50\n\nThanks" });
    expect(document.tables).toEqual([{ name: "table 1", rows: [["Item", "Price"], ["Bolt", "1,50"]] }]);
  });

  it("gives its running heads, where letters have their address", async () => {
    expect((await readInside(docxOf(paragraph("body"), { files: [headerFile("ACME &lt;IBAN DE00&gt;")] }))).text).toBe("ACME <IBAN DE00>\n\nbody");
  });

  it("says that hidden text is in it, unless hiding is switched off", async () => {
    const hidden = await readInside(docxOf(paragraph("seen") + paragraph("unseen", "<w:vanish/>")));
    expect(hidden).toMatchObject({ text: "seen\n\nunseen", warnings: [expect.stringContaining("hidden text")] });
    expect((await readInside(docxOf(paragraph("seen", '<w:vanish w:val="0"/>')))).warnings).toEqual([]);
  });

  it("leaves out tracked deletions, keeps insertions, and says so", async () => {
    const body = '<w:p><w:r><w:t>Pay </w:t></w:r><w:del w:id="1"><w:r><w:delText>100</w:delText></w:r></w:del><w:ins w:id="2"><w:r><w:t>900</w:t></w:r></w:ins></w:p>';
    expect(await readInside(docxOf(body))).toMatchObject({ text: "Pay 900", warnings: [expect.stringContaining("tracked deletions"), expect.stringContaining("tracked insertions")] });
  });

  it("names macros, and parts that Word would fetch", async () => {
    const bytes = docxOf(paragraph("x"), { files: [macroFile()], external: [["attachedTemplate", "https://evil.example/t.dotm"], ["hyperlink", "https://a.example"]] });
    const { warnings } = await readInside(bytes, { name: "a.docm" });
    expect(warnings).toEqual([expect.stringContaining("macros"), expect.stringContaining("a part outside of itself (attachedTemplate https://evil.example/t.dotm)")]);
  });

  it("shows no pictures, and fetches none", async () => {
    const picture = '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" descr="a chart"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="rX0"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
    const { text } = await readInside(docxOf(picture + paragraph("after"), { external: [["image", "file:///etc/passwd"]] }));
    expect(text).toBe("[image: a chart]\n\nafter");
  });
});

describe("a Word document that attacks is refused in words", () => {
  const levels = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join("");
  const attacks: readonly (readonly [string, () => Buffer])[] = [
    ["by entities that multiply", () => docxOf(paragraph("before &l9; after"), { doctype: `<!DOCTYPE w:document [<!ENTITY l0 "lol">${levels}]>` })],
    ["by entities from a file", () => docxOf(paragraph("before &outside; after"), { doctype: `<!DOCTYPE w:document [<!ENTITY outside SYSTEM "${new URL("../../../package.json", import.meta.url).href}">]>` })],
    ["by nesting without measure", () => docxOf(`${"<w:sdt><w:sdtContent>".repeat(50_000)}${paragraph("deep")}${"</w:sdtContent></w:sdt>".repeat(50_000)}`)],
    ["by XML that does not end", () => docxOf("<w:p>")],
    ["by an archive that does not end", () => docxOf(paragraph("x")).subarray(0, 400)],
  ];
  it.for(attacks)("%s", async ([, make]) => {
    await expect(readInside(make())).rejects.toMatchObject({ code: "invalid_input", message: expect.stringMatching(/^The (?:Word document|archive) is damaged/) });
  });
});
