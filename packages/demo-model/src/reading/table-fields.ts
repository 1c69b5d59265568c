import type { TableView } from "./document-view.ts";
import { foldText } from "./fold-text.ts";
import { amountOf } from "./find-by-shape.ts";
import type { FoundField } from "./find-labeled.ts";
import { findDates } from "./values.ts";

const numeric = /^[-−]?\s?(?:[A-Z]{3}\s?|[€$£]\s?)?[-−]?\d[\d.,'’\s]*(?:\s?(?:[A-Z]{3}|[€$£%]))?$/;
const totalRow = /^(?:grand )?(?:total|sum|summe|gesamt|gesamtsumme|somme|razem|suma|totale)\b/;
/** Columns whose sum has no meaning. */
const notSummed =
  /(?:^|[^a-z])(?:id|no|nr|number|nummer|numero|year|jahr|annee|zip|plz|phone|rate|satz|taux|percent|prozent|%|unit price|price per|einzelpreis|prix unitaire|sku|code|konto|account)(?:[^a-z]|$)|(?:nummer|nr\.?|preis)$|_(?:id|no|nr)$/;

/** Summarizes a table: its columns, row count, sums, date ranges and constant values. */
export function findTableFields(
  { name, rows }: TableView,
  isAlone: boolean,
): readonly FoundField[] {
  const head = findHead(rows);
  const header = rows[head];
  if (header === undefined) return [];
  const body = rows.slice(head + 1).filter((row) => row.some((cell) => cell.trim() !== ""));
  const entries = withoutSums(body);
  if (entries.length === 0) return [];
  const suffix = name === "" || isAlone ? "" : ` (${name})`;
  const columns = header
    .map((title, index) => ({
      title: title.trim(),
      cells: entries.map((row) => (row[index] ?? "").trim()).filter((cell) => cell !== ""),
    }))
    .filter(({ title, cells }) => title !== "" && cells.length > 0);
  return [
    {
      key: `Columns${suffix}`,
      value: columns.map(({ title }) => title).join(", "),
      confidence: 0.95,
      isCounted: true,
    },
    { key: `Rows${suffix}`, value: String(entries.length), confidence: 0.95, isCounted: true },
    ...columns.flatMap(({ title, cells }) => describeColumn(title, cells, suffix)),
  ];
}

/** Total rows come after the entries. They name a total and leave most cells empty. */
function withoutSums(body: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const widths = body.map(widthOf).toSorted((a, b) => a - b);
  const usual = widths[Math.floor(widths.length / 2)] ?? 0;
  const fullest = Math.max(usual, widthOf(body[0] ?? []));
  return body.filter(
    (row) =>
      !totalRow.test(foldText(row.find((cell) => cell.trim() !== "") ?? "")) &&
      (fullest < 3 || widthOf(row) > Math.min(2, fullest - 2)),
  );
}

function widthOf(row: readonly string[]): number {
  return row.filter((cell) => cell.trim() !== "").length;
}

/** The first full-width row without numbers. */
function findHead(rows: readonly (readonly string[])[]): number {
  const widest = rows.reduce((most, row) => Math.max(most, widthOf(row)), 0);
  return widest < 2
    ? -1
    : rows.findIndex(
        (row) =>
          widthOf(row) >= Math.max(2, widest - 1) &&
          !row.some((cell) => numeric.test(cell.trim()) || findDates(cell).length > 0),
      );
}

function describeColumn(
  title: string,
  cells: readonly string[],
  suffix: string,
): readonly FoundField[] {
  const [first = ""] = cells;
  const last = cells.at(-1) ?? "";
  if (cells.length > 1 && cells.every((cell) => cell === first))
    return [{ key: `${title}${suffix}`, value: first, confidence: 0.85 }];
  if (cells.every((cell) => findDates(cell).length > 0)) {
    return [
      { key: `First ${title}${suffix}`, value: first, confidence: 0.8 },
      { key: `Last ${title}${suffix}`, value: last, confidence: 0.8 },
    ];
  }
  if (!cells.every((cell) => numeric.test(cell)))
    return [{ key: `Last ${title}${suffix}`, value: last, confidence: 0.6 }];
  if (notSummed.test(foldText(title)))
    return [{ key: `Last ${title}${suffix}`, value: last, confidence: 0.7 }];
  const largest = cells.toSorted((a, b) => amountOf(b) - amountOf(a))[0] ?? last;
  return [
    { key: `Sum of ${title}${suffix}`, value: sumOf(cells), confidence: 0.9, isCounted: true },
    { key: `Largest ${title}${suffix}`, value: largest, confidence: 0.8 },
    { key: `Last ${title}${suffix}`, value: last, confidence: 0.8 },
  ];
}

/** Adds in whole cents to avoid results such as 0.30000000000000004. */
function sumOf(cells: readonly string[]): string {
  const places = cells.some((cell) => /[.,]\d{1,2}$/.test(cell)) ? 2 : 0;
  const cents = cells.reduce((sum, cell) => sum + Math.round(amountOf(cell) * 100), 0);
  return (cents / 100).toFixed(places);
}
