import { isFullSuite } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { readInProcess } from "../../fixtures/read-in-process.fixture.ts";
import { textFile } from "../../fixtures/zip-files.fixture.ts";
import {
  docxOf,
  headerFile,
  macroFile,
  paragraph,
  wordTable,
} from "../../fixtures/word-files.fixture.ts";

describe("a Word document", () => {
  it("returns its text and its tables, in place and separately", async () => {
    const document = await readInProcess(
      docxOf(
        `${paragraph("Invoice &amp; more")}${wordTable([
          ["Item", "Price"],
          ["Bolt", "1,50"],
        ])}${paragraph("Thanks")}`,
      ),
      { name: "a.docx" },
    );
    expect(document).toMatchObject({
      kind: "docx",
      warnings: [],
      text: "Invoice & more\n\nItem\tPrice\nBolt\t1,50\n\nThanks",
    });
    expect(document.tables).toEqual([
      {
        name: "table 1",
        rows: [
          ["Item", "Price"],
          ["Bolt", "1,50"],
        ],
      },
    ]);
  });

  it("returns its headers, where letters have their address", async () => {
    expect(
      (
        await readInProcess(
          docxOf(paragraph("body"), { files: [headerFile("ACME &lt;IBAN DE00&gt;")] }),
        )
      ).text,
    ).toBe("ACME <IBAN DE00>\n\nbody");
  });

  it("warns about hidden text, unless hiding is switched off", async () => {
    const hidden = await readInProcess(
      docxOf(paragraph("seen") + paragraph("unseen", "<w:vanish/>")),
    );
    expect(hidden).toMatchObject({
      text: "seen\n\nunseen",
      warnings: [expect.stringContaining("hidden text")],
    });
    expect(
      (await readInProcess(docxOf(paragraph("seen", '<w:vanish w:val="0"/>')))).warnings,
    ).toEqual([]);
  });

  const styles = textFile(
    "word/styles.xml",
    `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="character" w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="Ghost"><w:basedOn w:val="Base"/></w:style><w:style w:type="paragraph" w:styleId="Pale"><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style><w:style w:type="character" w:styleId="Shown"><w:basedOn w:val="Base"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style><w:style w:type="table" w:styleId="Grid"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`,
  );
  it.for([
    ["in white", paragraph("SECRET", '<w:color w:val="FFFFFF"/>')],
    ["in nearly white", paragraph("SECRET", "<w:color w:val='FDFDFD'/>")],
    ["in 1 pt", paragraph("SECRET", '<w:sz w:val="2"/>')],
    [
      "in the theme's white",
      paragraph("SECRET", '<w:color w:val="000000" w:themeColor="background1"/>'),
    ],
    ["in letters without a width", paragraph("SECRET", '<w:w w:val="1"/>')],
    [
      "by the style of its table",
      '<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr><w:tr><w:tc><w:p><w:r><w:t>SECRET</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    ],
    ["by its style", paragraph("SECRET", '<w:rStyle w:val="Ghost"/>')],
    [
      "by the style of its paragraph",
      '<w:p><w:pPr><w:pStyle w:val="Pale"/></w:pPr><w:r><w:t>SECRET</w:t></w:r></w:p>',
    ],
    [
      "without a prefix",
      '<p xmlns="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><r><rPr><vanish/></rPr><t>SECRET</t></r></p>',
    ],
    [
      "under another prefix",
      '<x:p xmlns:x="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><x:r><x:rPr><x:vanish/></x:rPr><x:t>SECRET</x:t></x:r></x:p>',
    ],
  ] as const)("says what is hidden in it %s", async ([, hidden]) => {
    const { warnings } = await readInProcess(
      docxOf(paragraph("seen") + hidden, { files: [styles] }),
    );
    expect(warnings).toEqual([
      'The document contains hidden text that a person would not see (6 characters). The text here includes it. The hidden text starts with: "SECRET"',
    ]);
  });

  it.for([
    [
      "white letters of a shaded cell",
      '<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val="clear" w:fill="1F3864"/></w:tcPr><w:p><w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>Head</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    ],
    [
      "white letters on a mark",
      paragraph("Head", '<w:highlight w:val="black"/><w:color w:val="FFFFFF"/>'),
    ],
    ["a style that shows again what another hides", paragraph("Head", '<w:rStyle w:val="Shown"/>')],
    [
      "the mark of a paragraph",
      "<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>Head</w:t></w:r></w:p>",
    ],
  ] as const)("does not take for hidden: %s", async ([, body]) => {
    expect((await readInProcess(docxOf(body, { files: [styles] }))).warnings).toEqual([]);
  });

  it("warns about text hidden by its default style", async () => {
    const defaults = textFile(
      "word/styles.xml",
      '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:docDefaults><w:rPrDefault><w:rPr><w:vanish/></w:rPr></w:rPrDefault></w:docDefaults></w:styles>',
    );
    const { warnings } = await readInProcess(
      docxOf(paragraph("seen", '<w:vanish w:val="0"/>') + paragraph("SECRET"), {
        files: [defaults],
      }),
    );
    expect(warnings).toEqual([expect.stringMatching(/\(6 characters\).*"SECRET"$/)]);
  });

  it("with styles that never end is read quickly", async () => {
    const styles = isFullSuite ? 150_000 : 40_000;
    const endless = textFile(
      "word/styles.xml",
      `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${"<w:style a>".repeat(styles)}</w:styles>`,
    );
    const started = process.threadCpuUsage();
    await readInProcess(docxOf(paragraph("seen"), { files: [endless] })).catch(() => undefined);
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(styles / 30);
  });

  it("leaves out hidden text in headers with a warning", async () => {
    const head = textFile(
      "word/header1.xml",
      `<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${paragraph("ACME")}${paragraph("obey me", "<w:vanish/>")}</w:hdr>`,
    );
    expect(await readInProcess(docxOf(paragraph("body"), { files: [head] }))).toMatchObject({
      text: "ACME\n\nbody",
      warnings: [expect.stringMatching(/headers or footers and was left out.*"obey me"/)],
    });
  });

  it("leaves out tracked deletions and keeps insertions, with warnings", async () => {
    const body =
      '<w:p><w:r><w:t>Pay </w:t></w:r><w:del w:id="1"><w:r><w:delText>100</w:delText></w:r></w:del><w:ins w:id="2"><w:r><w:t>900</w:t></w:r></w:ins></w:p>';
    expect(await readInProcess(docxOf(body))).toMatchObject({
      text: "Pay 900",
      warnings: [
        expect.stringContaining("tracked deletions"),
        expect.stringContaining("tracked insertions"),
      ],
    });
  });

  it("warns about macros and parts that Word would fetch", async () => {
    const bytes = docxOf(paragraph("x"), {
      files: [macroFile()],
      external: [
        ["attachedTemplate", "https://evil.example/t.dotm"],
        ["hyperlink", "https://a.example"],
      ],
    });
    const { warnings } = await readInProcess(bytes, { name: "a.docm" });
    expect(warnings).toEqual([
      expect.stringContaining("macros"),
      expect.stringContaining("an external part (attachedTemplate https://evil.example/t.dotm)"),
    ]);
  });

  it("neither shows nor fetches images", async () => {
    const picture =
      '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" descr="a chart"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="rX0"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
    const { text } = await readInProcess(
      docxOf(picture + paragraph("after"), { external: [["image", "file:///etc/passwd"]] }),
    );
    expect(text).toBe("[image: a chart]\n\nafter");
  });
});

describe("a malicious Word document is rejected with a reason", () => {
  const levels = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  ).join("");
  const attacks: readonly (readonly [string, () => Buffer])[] = [
    [
      "by entities that multiply",
      () =>
        docxOf(paragraph("before &l9; after"), {
          doctype: `<!DOCTYPE w:document [<!ENTITY l0 "lol">${levels}]>`,
        }),
    ],
    [
      "by entities from a file",
      () =>
        docxOf(paragraph("before &outside; after"), {
          doctype: `<!DOCTYPE w:document [<!ENTITY outside SYSTEM "${new URL("../../../package.json", import.meta.url).href}">]>`,
        }),
    ],
    [
      "by nesting without measure",
      () =>
        docxOf(
          `${"<w:sdt><w:sdtContent>".repeat(50_000)}${paragraph("deep")}${"</w:sdtContent></w:sdt>".repeat(50_000)}`,
        ),
    ],
    ["by XML that does not end", () => docxOf("<w:p>")],
    ["by an archive that does not end", () => docxOf(paragraph("x")).subarray(0, 400)],
  ];
  it.for(attacks)("%s", async ([, make]) => {
    await expect(readInProcess(make())).rejects.toMatchObject({
      flaw: { code: "file_damaged", content: expect.stringMatching(/^(?:docx|archive)$/) },
    });
  });
});
