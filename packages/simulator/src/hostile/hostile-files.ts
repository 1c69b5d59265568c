import type { MailInput } from "../google/compose-mail.ts";

type MailFile = NonNullable<MailInput["attachments"]>[number];

interface HidingFile {
  readonly filename: string;
  /** The visible text. */
  readonly visible: readonly string[];
  /** The hidden text. */
  readonly hidden: string;
}

/** Puts white text of one point below the visible text. Both must be plain Latin. */
export async function pdfWithWhiteText({
  filename,
  visible,
  hidden,
}: HidingFile): Promise<MailFile> {
  const { PDFDocument, StandardFonts, rgb } = await import("pdf-lib");
  const document = await PDFDocument.create();
  const page = document.addPage([595, 842]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const [index, line] of visible.entries())
    page.drawText(line, { x: 60, y: 780 - index * 16, size: 11, font });
  page.drawText(hidden, { x: 60, y: 40, size: 1, font, color: rgb(1, 1, 1) });
  return { filename, contentType: "application/pdf", content: await document.save() };
}

/** Uses Word's "hidden" property on a run of text. */
export async function docxWithHiddenText({
  filename,
  visible,
  hidden,
}: HidingFile): Promise<MailFile> {
  const { Document, Packer, Paragraph, TextRun } = await import("docx");
  const paragraphs = [
    ...visible.map((text) => new Paragraph({ children: [new TextRun(text)] })),
    new Paragraph({
      children: [new TextRun({ text: hidden, vanish: true, size: 2, color: "FFFFFF" })],
    }),
  ];
  const content = await Packer.toBuffer(
    new Document({ creator: "Lindqvist demo", sections: [{ children: paragraphs }] }),
  );
  return {
    filename,
    contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    content,
  };
}

/** Puts the text into a cell far to the right of the table. */
export async function sheetWithHiddenCell({
  filename,
  visible,
  hidden,
}: HidingFile): Promise<MailFile> {
  const { default: writeXlsxFile } = await import("write-excel-file/node");
  const rows = visible.map((line) => line.split(";"));
  const content = await writeXlsxFile(
    [...rows, [...Array.from({ length: 24 }, () => null), { value: hidden, textColor: "#FFFFFF" }]],
    { sheet: "Prices" },
  ).toBuffer();
  return {
    filename,
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    content,
  };
}

export function csvWithCell({ filename, visible, hidden }: HidingFile): MailFile {
  const rows = [...visible, `"${hidden.replaceAll('"', '""')}";0;0,00`];
  return {
    filename,
    contentType: "text/csv",
    content: Buffer.from(`\ufeff${rows.join("\r\n")}\r\n`, "utf8"),
  };
}

export const textFile = (filename: string, text: string): MailFile => ({
  filename,
  contentType: "text/plain",
  content: Buffer.from(text, "utf8"),
});
