import type { Bill } from "../bill.ts";
import { billWords, plainAmount } from "../bill-words.ts";
import type { Attachment } from "./attachment.ts";

/** Uses semicolons and decimal commas where the locale does. The last rows hold the totals. */
export function billCsv(bill: Bill): Attachment {
  const { language } = bill.seller;
  const words = billWords[language];
  const [separator, point] = language === "en" ? ([",", "."] as const) : ([";", ","] as const);
  const amount = (cents: number) => plainAmount(cents).replace(".", point);
  const rows = [
    [words.article, words.quantity, words.price, words.total],
    ...bill.lines.map(({ article, quantity, unitPrice, total }) => [
      article,
      String(quantity),
      amount(unitPrice),
      amount(total),
    ]),
    [words.net, "", "", amount(bill.net)],
    [`${words.tax} ${bill.taxPercent}%`, "", "", amount(bill.tax)],
    [words.gross, "", "", amount(bill.gross)],
  ];
  const quote = (cell: string) =>
    cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const text = `\ufeff${rows.map((row) => row.map(quote).join(separator)).join("\r\n")}\r\n`;
  return {
    filename: `${bill.number}.csv`,
    contentType: "text/csv",
    bytes: Buffer.byteLength(text),
    make: () => Buffer.from(text, "utf8"),
  };
}
