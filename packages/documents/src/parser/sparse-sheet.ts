/** Largest number of cells that the library may lay out, including empty ones. */
const maxArea = 4_000_000;
const tag = /<(?:\w+:)?(c|row)\b[^<>]*>/g;
const reference = /\br="([A-Z]{0,3})(\d{1,7})"/;

/**
 * Removes empty rows and columns from a sheet that would fill the memory when laid out. One stray
 * cell in the last corner is enough for that. Undefined if not needed.
 */
export function compactSheet(xml: string): string | undefined {
  const rows = new Set<number>();
  const columns = new Set<number>();
  let [lastRow, lastColumn] = [0, 0];
  for (const [match, name] of xml.matchAll(tag)) {
    const [, letters = "", digits = ""] = reference.exec(match) ?? [];
    // A cell without a reference follows the previous one, so nothing is far apart.
    if (digits === "" || (name === "c" && letters === "")) return undefined;
    const [row, column] = [Number(digits), columnOf(letters)];
    rows.add(row);
    if (column > 0) columns.add(column);
    [lastRow, lastColumn] = [Math.max(lastRow, row), Math.max(lastColumn, column)];
  }
  if (lastRow * lastColumn <= maxArea) return undefined;
  const [rowAt, columnAt] = [ranks(rows), ranks(columns)];
  return xml
    .replace(/<(?:\w+:)?dimension\b[^<>]*>/, "")
    .replace(tag, (match) =>
      match.replace(
        reference,
        (_, letters: string, digits: string) =>
          `r="${letters === "" ? "" : lettersOf(columnAt.get(columnOf(letters)) ?? 1)}${rowAt.get(Number(digits)) ?? 1}"`,
      ),
    );
}

function ranks(numbers: ReadonlySet<number>): ReadonlyMap<number, number> {
  return new Map([...numbers].toSorted((a, b) => a - b).map((number, at) => [number, at + 1]));
}

/** A is 1, Z is 26, AA is 27. */
function columnOf(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at++) column = column * 26 + letters.charCodeAt(at) - 64;
  return column;
}

function lettersOf(column: number): string {
  return column === 0
    ? ""
    : `${lettersOf(Math.floor((column - 1) / 26))}${String.fromCharCode(65 + ((column - 1) % 26))}`;
}
