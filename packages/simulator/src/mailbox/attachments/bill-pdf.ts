import type { Color, PDFFont, PDFPage } from "pdf-lib";
import type { Bill } from "../bill.ts";
import { billWords, formatDay, formatMoney } from "../bill-words.ts";
import type { Attachment } from "./attachment.ts";
import { winAnsiText } from "./win-ansi-text.ts";

type BillLayout = "letter" | "boxed" | "receipt";

export function billPdf(bill: Bill, layout: BillLayout): Attachment {
  const title = billWords[bill.seller.language][bill.kind].replace(/ /g, "-");
  return {
    filename: `${title}-${bill.number}.pdf`,
    contentType: "application/pdf",
    bytes: 2_200,
    make: () => drawBill(bill, layout),
  };
}

async function drawBill(bill: Bill, layout: BillLayout): Promise<Uint8Array> {
  // Loading the library takes a tenth of a second, and most simulators never serve a PDF.
  const { PDFDocument, StandardFonts, rgb } = await import("pdf-lib");
  const document = await PDFDocument.create();
  document.setTitle(`${bill.number}`);
  document.setProducer("Lindqvist demo");
  document.setCreationDate(bill.date);
  document.setModificationDate(bill.date);
  const isReceipt = layout === "receipt";
  const font = await document.embedFont(
    isReceipt ? StandardFonts.Courier : StandardFonts.Helvetica,
  );
  const bold = await document.embedFont(
    isReceipt ? StandardFonts.CourierBold : StandardFonts.HelveticaBold,
  );
  const page = document.addPage(isReceipt ? [300, 330 + bill.lines.length * 30] : [595, 842]);
  const pen = createPen(page, font, bold);
  if (layout === "letter") drawLetter(bill, pen);
  else if (layout === "boxed")
    drawBoxed(bill, pen, { page, blue: rgb(0.2, 0.3, 0.5), gray: rgb(0.7, 0.7, 0.7) });
  else drawReceipt(bill, pen, page.getHeight());
  return document.save();
}

interface Pen {
  readonly left: (text: string, x: number, y: number, size?: number) => void;
  readonly right: (text: string, x: number, y: number, size?: number) => void;
  readonly strong: (text: string, x: number, y: number, size?: number) => void;
}

function createPen(page: PDFPage, font: PDFFont, bold: PDFFont): Pen {
  const draw = (
    text: string,
    x: number,
    y: number,
    how: { readonly size: number; readonly font: PDFFont },
  ) => page.drawText(winAnsiText(text), { x, y, ...how });
  return {
    left: (text, x, y, size = 10) => draw(text, x, y, { size, font }),
    right: (text, x, y, size = 10) =>
      draw(text, x - font.widthOfTextAtSize(winAnsiText(text), size), y, { size, font }),
    strong: (text, x, y, size = 10) => draw(text, x, y, { size, font: bold }),
  };
}

function billTexts(bill: Bill) {
  const { language } = bill.seller;
  const words = billWords[language];
  const money = (cents: number) => formatMoney(cents, bill.currency, language);
  return {
    words,
    money,
    title: `${words[bill.kind]} ${bill.number}`,
    dates: [
      `${words.date}: ${formatDay(bill.date, language)}`,
      ...(bill.kind === "invoice" ? [`${words.due}: ${formatDay(bill.due, language)}`] : []),
    ],
    sums: [
      [words.net, money(bill.net)],
      [`${words.tax} ${bill.taxPercent} %`, money(bill.tax)],
      [words.gross, money(bill.gross)],
    ] as const,
  };
}

function drawLetter(bill: Bill, { left, right, strong }: Pen): void {
  const { words, money, title, dates, sums } = billTexts(bill);
  strong(bill.seller.firm, 60, 780, 16);
  left(bill.seller.address, 60, 764, 9);
  left(`${words.to}: ${bill.buyer.firm}, ${bill.buyer.name}`, 60, 710);
  strong(title, 60, 660, 14);
  for (const [at, text] of dates.entries()) left(text, 60, 640 - at * 14);
  let y = 590;
  left(words.article, 60, y, 9);
  for (const [text, x] of [
    [words.quantity, 360],
    [words.price, 450],
    [words.total, 535],
  ] as const)
    right(text, x, y, 9);
  for (const { article, quantity, unitPrice, total } of bill.lines) {
    y -= 18;
    left(article, 60, y);
    right(String(quantity), 360, y);
    right(money(unitPrice), 450, y);
    right(money(total), 535, y);
  }
  y -= 12;
  for (const [name, amount] of sums) {
    y -= 18;
    right(name, 450, y);
    right(amount, 535, y);
  }
}

interface Paper {
  readonly page: PDFPage;
  readonly blue: Color;
  readonly gray: Color;
}

function drawBoxed(bill: Bill, { left, right, strong }: Pen, { page, blue, gray }: Paper): void {
  const { words, money, title, dates, sums } = billTexts(bill);
  page.drawRectangle({ x: 40, y: 690, width: 515, height: 110, borderWidth: 1, borderColor: blue });
  strong(title, 55, 770, 18);
  for (const [at, text] of dates.entries()) left(text, 55, 745 - at * 15);
  right(bill.seller.firm, 540, 770, 12);
  right(bill.buyer.firm, 540, 750);
  strong(`${words.gross}: ${money(bill.gross)}`, 55, 702, 12);
  let y = 650;
  for (const { article, quantity, unitPrice, total } of bill.lines) {
    page.drawLine({
      start: { x: 40, y: y - 6 },
      end: { x: 555, y: y - 6 },
      thickness: 0.5,
      color: gray,
    });
    left(`${quantity} x ${article}`, 55, y);
    right(`${money(unitPrice)}   ${money(total)}`, 540, y);
    y -= 24;
  }
  for (const [at, [name, amount]] of sums.entries()) {
    left(name, 330, y - 20 - at * 16);
    right(amount, 540, y - 20 - at * 16);
  }
}

function drawReceipt(bill: Bill, { left, right, strong }: Pen, height: number): void {
  const { words, money, title, dates, sums } = billTexts(bill);
  strong(bill.seller.firm, 20, height - 40, 12);
  strong(title, 20, height - 62, 9);
  for (const [at, text] of dates.entries()) left(text, 20, height - 80 - at * 12, 8);
  left(`${words.to}: ${bill.buyer.firm}`, 20, height - 110, 8);
  let y = height - 140;
  for (const { article, quantity, unitPrice, total } of bill.lines) {
    left(article, 20, y, 8);
    left(`  ${quantity} x ${money(unitPrice)}`, 20, y - 11, 8);
    right(money(total), 280, y - 11, 8);
    y -= 30;
  }
  for (const [at, [name, amount]] of sums.entries()) {
    left(name, 20, y - at * 14, 9);
    right(amount, 280, y - at * 14, 9);
  }
}
