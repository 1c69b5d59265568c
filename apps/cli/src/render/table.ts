/**
 * Makes each column as wide as its widest cell. Truncates the last column at the terminal's edge.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): string[] {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const last = head.length - 1;
  const room = Math.max(
    10,
    columns - widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, index) =>
        index === last ? truncate(cell, room) : cell.padEnd(widths[index] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

export function truncate(text: string, room: number): string {
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}

/** Lines of the form "Label:  text", with the texts aligned. */
export function fields(
  entries: readonly (readonly [label: string, text: string | undefined])[],
  margin = 2,
): string[] {
  const shown = entries.filter(
    (entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const width = Math.max(...shown.map(([label]) => label.length)) + 1;
  return shown.map(
    ([label, text]) =>
      `${" ".repeat(margin)}${`${label}:`.padEnd(width)} ${text.replaceAll("\n", `\n${" ".repeat(margin + width + 1)}`)}`,
  );
}
