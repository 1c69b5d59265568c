import type { DocumentView } from "./document-view.ts";
import { findByShape, amountOf } from "./find-by-shape.ts";
import { findLabeled, type FoundField } from "./find-labeled.ts";
import { findPairs } from "./find-pairs.ts";
import { readLines } from "./lines.ts";
import { findTableFields } from "./table-fields.ts";
import { currencyMark } from "./values.ts";

const maxFields = 20;

/** The display order of the fields. */
const order = [
  "Invoice Number",
  "Order Number",
  "Quote Number",
  "Delivery Note Number",
  "Contract Number",
  "Vendor",
  "Customer",
  "Customer Number",
  "Invoice Date",
  "Order Date",
  "Date",
  "Due Date",
  "Delivery Date",
  "Valid Until",
  "Period",
  "Net Amount",
  "Shipping",
  "Discount",
  "Tax",
  "Total",
  "Currency",
  "Payment Terms",
  "IBAN",
  "BIC",
  "VAT ID",
  "Reference",
];

/**
 * Extracts the fields of a document with general rules. Every value appears in the document, except
 * sums and counts of its tables.
 */
export function extractFields(view: DocumentView): readonly FoundField[] {
  const tables = view.tables.flatMap((table) => findTableFields(table, view.tables.length === 1));
  const lines = readLines(view);
  const isList = tables.length > 0;
  // In a table, a row with many cells is an entry, so its labels do not count.
  const chosen = chooseBest(
    findLabeled(isList ? lines.filter(({ cells }) => cells.length <= 2) : lines),
  );
  const shaped = isList ? [] : findByShape(lines, chosen);
  const known = withCurrency([...chosen, ...shaped]);
  const pairs = findPairs(lines, [...known, ...tables]).slice(
    0,
    isList ? 4 : Math.max(0, 12 - known.length),
  );
  const sorted = known.toSorted((a, b) => place(a) - place(b));
  return unique([...sorted, ...tables, ...pairs]).slice(0, maxFields);
}

function chooseBest(found: readonly FoundField[]): readonly FoundField[] {
  const best = new Map<string, FoundField>();
  for (const field of found) {
    const known = best.get(field.key);
    if (known === undefined || isBetter(field, known)) best.set(field.key, field);
  }
  const date = best.get("Date");
  if (
    date !== undefined &&
    [best.get("Invoice Date"), best.get("Order Date")].some((other) => other !== undefined)
  )
    best.delete("Date");
  return [...best.values()];
}

/**
 * On equal confidence the first value wins, except for totals: the larger one wins, because tables
 * have subtotals.
 */
function isBetter(field: FoundField, known: FoundField): boolean {
  if (field.confidence !== known.confidence) return field.confidence > known.confidence;
  return field.key === "Total" && amountOf(field.value) > amountOf(known.value);
}

function withCurrency(fields: readonly FoundField[]): readonly FoundField[] {
  for (const key of ["Total", "Net Amount", "Tax"]) {
    const field = fields.find((one) => one.key === key);
    const mark = currencyMark.exec(field?.value ?? "")?.[0];
    if (field !== undefined && mark !== undefined)
      return [...fields, { key: "Currency", value: mark, confidence: field.confidence }];
  }
  return fields;
}

function place({ key }: FoundField): number {
  const at = order.indexOf(key);
  return at < 0 ? order.length : at;
}

function unique(fields: readonly FoundField[]): readonly FoundField[] {
  return fields.filter(
    ({ key }, index) => fields.findIndex((other) => other.key === key) === index,
  );
}
