import type { FoundField } from "./find-labeled.ts";
import { findLabels, headsItems } from "./find-labels.ts";
import type { Line } from "./lines.ts";
import { currencyMark, findDates, findIbans, findMoney } from "./values.ts";

const company =
  /(?<![\p{L}\d])\p{Lu}[\p{L}\d&.'’-]*(?: (?:[\p{Lu}\d&][\p{L}\d&.'’-]*|und|and|et|de|von|der)){0,5},? (?:GmbH & Co\. KG|GmbH|AG|KG|UG|OHG|SE|e\. ?K\.|Ltd\.?|Limited|LLC|LLP|Inc\.?|Corp\.?|PLC|plc|SARL|SAS|S\.A\.S\.|SA|S\.A\.|B\.V\.|BV|N\.V\.|Oy|AB|ApS|A\/S|S\.p\.A\.|SpA|S\.r\.l\.|Srl|Sp\. z o\.o\.)(?![\p{L}\d])/gu;
const headings =
  /^(?:(?:tax )?invoice|rechnung|facture|order confirmation|auftragsbestatigung|bestellbestatigung|confirmation de commande|bon de commande|purchase order|quote|angebot|devis|statement|receipt|quittung|recu|page \d.*|seite \d.*)$/;

/**
 * Finds values that need no label: account numbers and companies. As a last resort, takes the first
 * date and the largest amount.
 */
export function findByShape(
  lines: readonly Line[],
  known: readonly FoundField[],
): readonly FoundField[] {
  const has = (key: string) => known.some((field) => field.key === key);
  const text = lines.map((line) => line.text).join("\n");
  const found: FoundField[] = [];
  const [iban] = findIbans(text);
  if (!has("IBAN") && iban !== undefined) found.push({ key: "IBAN", value: iban, confidence: 0.9 });
  const vendor = has("Vendor") ? undefined : findVendor(lines, known);
  if (vendor !== undefined) found.push(vendor);
  const [date] = findDates(text);
  if (
    date !== undefined &&
    !known.some(({ key }) => key === "Date" || key === "Invoice Date" || key === "Order Date")
  )
    found.push({ key: "Date", value: date.replace(/\s+/g, " "), confidence: 0.5 });
  const largest = findMoney(text)
    .filter((money) => currencyMark.test(money))
    .toSorted((a, b) => amountOf(b) - amountOf(a))[0];
  if (!has("Total") && largest !== undefined)
    found.push({ key: "Total", value: largest.replace(/\s+/g, " "), confidence: 0.45 });
  return found;
}

function findVendor(lines: readonly Line[], known: readonly FoundField[]): FoundField | undefined {
  const customer = known.find(({ key }) => key === "Customer")?.value ?? "";
  const companies = lines
    .flatMap(({ text }) => Array.from(text.matchAll(company), ([name]) => name))
    .filter((name) => !customer.includes(name) && !name.includes(customer || "\n"));
  if (companies[0] !== undefined) return { key: "Vendor", value: companies[0], confidence: 0.7 };
  const first = lines
    .slice(0, 3)
    .find(
      (line) =>
        line.cells.length === 1 &&
        line.text.length <= 40 &&
        !/\d|[:@]/.test(line.text) &&
        !headings.test(line.folded) &&
        !headsItems(line) &&
        findLabels(line).length === 0,
    );
  return first === undefined ? undefined : { key: "Vendor", value: first.text, confidence: 0.5 };
}

/** Parses an amount of money or a table cell. The last of two separators divides the cents. */
export function amountOf(money: string): number {
  const digits = money.replace(/[^\d.,'’−-]/g, "").replace(/[.,'’-]+$/, "");
  const [, cents] = /[.,](\d{1,2})$/.exec(digits) ?? [];
  const plain = (cents === undefined ? digits : digits.slice(0, -cents.length - 1)).replace(
    /[^\d]/g,
    "",
  );
  const amount = Number(`${plain === "" ? "0" : plain}.${cents ?? "0"}`);
  return /^\s*(?:[A-Z]{3}|[^\d\s])?\s*[-−]/.test(money) ? -amount : amount;
}
