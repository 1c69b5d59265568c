import { crc32, deflateSync } from "node:zlib";
import type { Bill } from "../bill.ts";
import { billWords, plainAmount } from "../bill-words.ts";
import type { Attachment } from "./attachment.ts";
import { bitmapText, type Bitmap } from "./bitmap-text.ts";

/** A scanned paper bill: an image without any text. */
export function scannedPdf(bill: Bill): Attachment {
  return {
    filename: `Scan_${bill.number}.pdf`,
    contentType: "application/pdf",
    bytes: 19_000,
    make: () => scan(bill),
  };
}

async function scan(bill: Bill): Promise<Uint8Array> {
  const words = billWords[bill.seller.language];
  const capital = (text: string) =>
    text
      .normalize("NFKD")
      .replace(/[^\u0020-\u007e]/g, "")
      .toUpperCase();
  const row = (name: string, cents: number) =>
    `${capital(name).slice(0, 30).padEnd(32)}${plainAmount(cents).padStart(12)}`;
  const lines = [
    capital(bill.seller.firm),
    "",
    `${capital(words.invoice)} ${bill.number}`,
    `${capital(words.date)}: ${bill.date.toISOString().slice(0, 10)}`,
    "",
    ...bill.lines.map(({ article, quantity, total }) => row(`${quantity} X ${article}`, total)),
    "",
    row(words.net, bill.net),
    row(`${words.tax} ${bill.taxPercent}%`, bill.tax),
    row(`${words.gross} ${bill.currency}`, bill.gross),
  ];
  const { PDFDocument } = await import("pdf-lib");
  const document = await PDFDocument.create();
  document.setCreationDate(bill.date);
  document.setModificationDate(bill.date);
  const image = await document.embedPng(encodePng(bitmapText(lines, 3)));
  const page = document.addPage([595, 842]);
  const width = 500;
  const height = (image.height / image.width) * width;
  page.drawImage(image, { x: 45, y: 800 - height, width, height });
  return document.save();
}

function encodePng({ width, height, pixels }: Bitmap): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per gray pixel.
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const result = Buffer.alloc(body.length + 8);
  result.writeUInt32BE(data.length, 0);
  body.copy(result, 4);
  result.writeUInt32BE(crc32(body), body.length + 4);
  return result;
}
