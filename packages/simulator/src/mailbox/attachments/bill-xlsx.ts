import type { Bill } from "../bill.ts";
import { billWords, formatDay } from "../bill-words.ts";
import type { Attachment } from "./attachment.ts";

const money = "#,##0.00";

export function billXlsx(bill: Bill): Attachment {
  const words = billWords[bill.seller.language];
  const bold = (value: string) => ({ value, fontWeight: "bold" as const });
  const cents = (value: number) => ({ value: value / 100, type: Number, format: money });
  const sum = (name: string, value: number) => [bold(name), null, null, cents(value)];
  const rows = [
    [bold(`${bill.kind === "invoice" ? words.invoice : words.order} ${bill.number}`)],
    [words.date, formatDay(bill.date, bill.seller.language)],
    [],
    [bold(words.article), bold(words.quantity), bold(words.price), bold(words.total)],
    ...bill.lines.map(({ article, quantity, unitPrice, total }) => [
      article,
      quantity,
      cents(unitPrice),
      cents(total),
    ]),
    sum(words.net, bill.net),
    sum(`${words.tax} ${bill.taxPercent}%`, bill.tax),
    sum(words.gross, bill.gross),
  ];
  return {
    filename: `${bill.number}.xlsx`,
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    bytes: 4_000,
    make: async () => {
      const { default: writeXlsxFile } = await import("write-excel-file/node");
      return withoutTimes(
        await writeXlsxFile(rows, { sheet: bill.number.replace(/[^\w-]/g, "-") }).toBuffer(),
      );
    },
  };
}

/** Clears the creation time in the archive: two pairs of bytes after each file's signature. */
function withoutTimes(zip: Buffer): Buffer {
  for (const { signature, offset } of [
    { signature: "PK\u0003\u0004", offset: 10 },
    { signature: "PK\u0001\u0002", offset: 12 },
  ]) {
    for (
      let at = zip.indexOf(signature, 0, "latin1");
      at >= 0;
      at = zip.indexOf(signature, at + 4, "latin1")
    )
      zip.writeUInt32LE(0x00210000, at + offset);
  }
  return zip;
}
