import { fieldLabels, itemWords, type FieldLabel } from "./field-labels.ts";
import type { Line } from "./lines.ts";

/** A label and its position in a line. */
export interface LabelPlace {
  readonly label: FieldLabel;
  readonly start: number;
  readonly end: number;
}

/** Finds the labels of a line from left to right. Where two labels overlap, the longer one wins. */
export function findLabels(line: Line): readonly LabelPlace[] {
  if (headsItems(line)) return [];
  const places: LabelPlace[] = [];
  for (const label of fieldLabels) {
    for (const { index, 0: matched } of line.folded.matchAll(label.pattern)) {
      if (matched.trim() === "") continue;
      const place = { label, start: index, end: index + matched.length };
      if (!label.isWeak || standsAlone(line, place)) places.push(place);
    }
  }
  const chosen: LabelPlace[] = [];
  for (const place of places.toSorted(
    (a, b) => b.end - b.start - (a.end - a.start) || b.label.weight - a.label.weight,
  )) {
    if (chosen.every(({ start, end }) => end <= place.start || start >= place.end))
      chosen.push(place);
  }
  return chosen.toSorted((a, b) => a.start - b.start);
}

/** Whether the label starts a cell and is followed by a colon or the end of the cell. */
function standsAlone({ folded, cells }: Line, { start, end }: LabelPlace): boolean {
  const cell = cells.find((one) => one.start <= start && one.end >= end);
  return (
    cell !== undefined &&
    cell.start === start &&
    /^\s*(?:\([^)]*\)\s*)?(?::|$)/.test(folded.slice(end, cell.end))
  );
}

export function headsItems({ folded }: Line): boolean {
  return new Set(Array.from(folded.matchAll(itemWords), ([word]) => word)).size >= 2;
}
