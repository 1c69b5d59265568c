import { describe, expect, it } from "vitest";
import { emlOf, nestedEml } from "../../fixtures/mail-files.fixture.ts";
import { pdfOf } from "../../fixtures/pdf-files.fixture.ts";
import { readInProcess } from "../../fixtures/read-in-process.fixture.ts";
import type { ParsedDocument } from "../../parsed-document.ts";
import { fullText } from "../../full-text.ts";

const plain = (content: string) => ({ type: "text/plain", content });

describe("a mail", () => {
  it("returns its header and its text", async () => {
    const document = await readInProcess(
      emlOf(
        [
          'Cc: "Cy, C." <cy@c.example>',
          "Date: Tue, 12 Mar 2024 09:00:00 +0100",
          "Subject: =?utf-8?B?R3LDvMOfZQ==?=",
        ],
        plain("Hello\nBo"),
      ),
    );
    expect(document).toMatchObject({ kind: "eml", warnings: [], tables: [] });
    expect(document.text).toBe(
      "From: Eva <eva@a.example>\nTo: bo@b.example\nCc: Cy, C. <cy@c.example>\nDate: 2024-03-12T08:00:00.000Z\nSubject: Grüße\n\nHello\nBo",
    );
  });

  it("is read from its HTML, with tables and without hidden text", async () => {
    const html =
      '<p>Seen</p><div style="display:none">obey me</div><table><tr><td>Sum<td>7</table>';
    const document = await readInProcess(
      emlOf(["Subject: s"], { type: "text/html", content: html }),
    );
    expect(document.text).toMatch(/\n\nSeen\n\nSum\t7$/);
    expect(document.tables).toEqual([{ name: "table 1", rows: [["Sum", "7"]] }]);
    expect(document.warnings).toEqual([
      expect.stringContaining('hidden text starts with: "obey me"'),
    ]);
  });

  it("warns about a foreign Reply-To and a spoofed sender name", async () => {
    const bytes = Buffer.from(
      'From: "ceo@a.example" <x@evil.example>\r\nReply-To: y@evil.example\r\nMessage-ID: <1@e>\r\n\r\npay',
    );
    expect((await readInProcess(bytes)).warnings).toEqual([
      "Replies go to y@evil.example, not to the sender x@evil.example.",
      "The sender is shown as ceo@a.example, but is x@evil.example.",
    ]);
  });

  it("reads each attachment as a separate file", async () => {
    const pdf = await pdfOf([[{ text: "Total 12.50" }]]);
    const inner = emlOf(["Subject: inner"], plain("old words"), [
      { type: "text/csv", name: "b.csv", content: "a;1\nb;2" },
    ]);
    const document = await readInProcess(
      emlOf(["Subject: s"], plain("see below"), [
        { type: "application/pdf", name: "invoice.pdf", content: pdf },
        { type: "message/rfc822", content: inner },
        { type: "application/ms-tnef", name: "winmail.dat", content: "tnef" },
        { type: "application/zip", name: "c.zip", content: Buffer.from("PK\x03\x04nonsense") },
      ]),
    );
    expect(document.attachments).toMatchObject([
      {
        name: "invoice.pdf",
        mediaType: "application/pdf",
        byteCount: pdf.length,
        document: { kind: "pdf", text: "Total 12.50" },
      },
      {
        name: "mail 2",
        document: {
          kind: "eml",
          attachments: [
            {
              name: "b.csv",
              document: {
                kind: "csv",
                tables: [
                  {
                    rows: [
                      ["a", "1"],
                      ["b", "2"],
                    ],
                  },
                ],
              },
            },
          ],
        },
      },
      { name: "winmail.dat", problem: expect.stringContaining("winmail.dat") },
      { name: "c.zip", problem: expect.stringContaining("archive is damaged") },
    ]);
    expect(document.text).not.toContain("12.50");
    expect(fullText(document)).toContain("=== invoice.pdf ===\nTotal 12.50");
  });

  it("reads nested mails three levels deep and lists deeper ones", async () => {
    const names: (string | undefined)[] = [];
    let document: ParsedDocument | undefined = await readInProcess(nestedEml(20));
    for (; document; document = document.attachments?.[0]?.document)
      names.push(document.attachments?.[0]?.problem ?? "read");
    expect(names).toEqual([
      "read",
      "read",
      "read",
      "It was not read: it is nested 4 files deep (the limit is 3).",
    ]);
  });

  it("lists the first 100 of 10,000 attachments and reads 50", async () => {
    const bytes = emlOf(
      ["Subject: s"],
      plain("many"),
      Array.from({ length: 10_000 }, (_, index) => ({
        type: "text/plain",
        name: `${index}.txt`,
        content: "x",
      })),
    );
    const { attachments = [], warnings } = await readInProcess(bytes);
    expect(attachments).toHaveLength(100);
    expect(attachments.filter(({ document }) => document)).toHaveLength(50);
    expect(warnings).toEqual(["The email has 10,000 attachments. Only the first 100 are listed."]);
  });

  it("with an endless header is rejected with a reason", async () => {
    const bytes = Buffer.from(
      `From: a@a.example\r\nMessage-ID: <1@a>\r\n${"X-Long: y\r\n".repeat(300_000)}\r\nbody`,
    );
    await expect(readInProcess(bytes)).rejects.toMatchObject({
      flaw: { code: "email_too_complex" },
    });
  });

  it("lists attachment names without deceptive characters", async () => {
    const { attachments } = await readInProcess(
      emlOf(["Subject: s"], plain("x"), [
        { type: "text/plain", name: "=?utf-8?Q?invoice=E2=80=AEfdp=2Eexe?=", content: "words" },
      ]),
    );
    expect(attachments?.[0]?.name).toBe("invoicefdp.exe");
  });
});
