import { counted } from "./json.ts";

const maxColumns = 12;

/** "3 rows", and the sum of each column of numbers. The first row names the columns. */
export function describeTables(
  tables: readonly (readonly (readonly string[])[])[],
): readonly string[] {
  return tables.flatMap(([header = [], ...rows]) => {
    const filled = rows.filter((row) => row.some((cell) => cell !== ""));
    if (filled.length === 0) return [];
    const sums = header.slice(0, maxColumns).flatMap((name, column) => {
      const cells = filled.map((row) => row[column] ?? "").filter((cell) => cell !== "");
      const numbers = cells.map(toNumber);
      if (numbers.length === 0 || numbers.some((number) => number === undefined)) return [];
      if (/\b(?:id|no|nr|number|zip|year|phone|date)\b/i.test(name)) return [];
      const sum = numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
      return [`- Sum of ${name || `column ${column + 1}`}: ${sayNumber(sum)}`];
    });
    const names = header.filter((name) => name !== "").join(", ");
    return [`- ${counted(filled.length, "row")}${names === "" ? "" : ` with ${names}`}`, ...sums];
  });
}

/** "1,200.50", "1.200,50" or "1200.5". Undefined for anything else. */
function toNumber(cell: string): number | undefined {
  const text = cell.replace(/^[€$£]\s?|\s?(?:[€$£]|EUR|USD|GBP)$/g, "").trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return Number(text.replaceAll(",", ""));
  if (/^-?\d{1,3}(?:\.\d{3})*(?:,\d+)?$/.test(text) || /^-?\d+,\d+$/.test(text))
    return Number(text.replaceAll(".", "").replace(",", "."));
  return undefined;
}

function sayNumber(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString("en-US");
}
