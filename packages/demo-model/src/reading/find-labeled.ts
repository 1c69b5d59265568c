import { findLabels, type LabelPlace } from "./find-labels.ts";
import { cellAt, type Line } from "./lines.ts";
import { findDates, readValue } from "./values.ts";

export interface FoundField {
  readonly key: string;
  /** The value as written in the document, unless it was computed. */
  readonly value: string;
  /** From 0 to 1, depending on how the value was found. */
  readonly confidence: number;
  /** A computed sum or count. It is correct but does not appear in the document. */
  readonly isCounted?: true;
}

const sureness = { colon: 0.97, sameLine: 0.92, below: 0.82, stacked: 0.75 } as const;

/** The characters between a label and its value. */
const filler =
  /^\s*(?:\([^)]{0,40}\)\s*)?(?:\d{1,2}(?:[.,]\d{1,2})?\s?%(?:\s|$))?(?:(?:is|was|ist|lautet|est|of|the|den|le|in|on|am|zum)(?=\s)\s*)?[\s:.#=·_–—|-]*/i;

interface LabeledLine extends Line {
  readonly labels: readonly LabelPlace[];
}

/** Finds every value after or below its label, in document order. */
export function findLabeled(lines: readonly Line[]): readonly FoundField[] {
  const labelled = lines.map((line): LabeledLine => ({ ...line, labels: findLabels(line) }));
  return labelled.flatMap((line, index) =>
    line.labels.flatMap((place) => behind(line, place) ?? below(labelled, index, place) ?? []),
  );
}

function behind(line: LabeledLine, place: LabelPlace): FoundField | undefined {
  const { label, end } = place;
  const next = line.labels.find(({ start }) => start >= end)?.start ?? line.text.length;
  const isProse = label.type === "text";
  const words = line.text.slice(end, isProse ? Math.min(next, endOfWords(line, end)) : next);
  const [skipped = ""] = filler.exec(words) ?? [];
  const rest = words.slice(skipped.length);
  // "Invoice number Date" is a head of columns, not a number called "Date".
  const value = readValue(label.type, rest) ?? (label.type === "date" ? nearDate(rest) : undefined);
  return value === undefined
    ? undefined
    : found(place, value, skipped.includes(":") ? sureness.colon : sureness.sameLine);
}

/** "Due on Monday, 3 November 2026". */
function nearDate(words: string): string | undefined {
  const [first] = findDates(words);
  return first !== undefined &&
    words.indexOf(first) <= 14 &&
    !/\d/.test(words.slice(0, words.indexOf(first)))
    ? first
    : undefined;
}

/** A text value ends with its cell, or with the next cell if the label fills its own. */
function endOfWords(line: Line, labelEnd: number): number {
  const at = cellAt(line, labelEnd - 1);
  const own = line.cells[at];
  const isFull = own !== undefined && /^[\s:.]*$/.test(line.text.slice(labelEnd, own.end));
  return (isFull ? (line.cells[at + 1]?.end ?? own.end) : own?.end) ?? line.text.length;
}

function below(
  lines: readonly LabeledLine[],
  index: number,
  place: LabelPlace,
): FoundField | undefined {
  const line = lines[index];
  if (line === undefined) return undefined;
  const column = cellAt(line, place.start);
  const cell = line.cells[column];
  if (
    cell === undefined ||
    cell.start !== place.start ||
    !/^[\s:.]*(?:\([^)]*\))?[\s:.]*$/.test(line.text.slice(place.end, cell.end))
  )
    return undefined;
  if (line.cells.length > 1) return inColumn(lines[index + 1], column, line.cells.length, place);
  const first = runStart(lines, index);
  const length = runLength(lines, first);
  const target = lines[first + length + (index - first)];
  return target === undefined
    ? undefined
    : valueOf(target, 0, place, length === 1 ? sureness.below : sureness.stacked);
}

function inColumn(
  line: LabeledLine | undefined,
  column: number,
  columns: number,
  place: LabelPlace,
): FoundField | undefined {
  if (line === undefined) return undefined;
  if (line.cells.length === columns) return valueOf(line, column, place, sureness.below);
  const nearest = line.cells.findIndex(({ start }) => Math.abs(start - place.start) <= 3);
  return nearest < 0 ? undefined : valueOf(line, nearest, place, sureness.stacked);
}

function valueOf(
  line: LabeledLine,
  column: number,
  place: LabelPlace,
  confidence: number,
): FoundField | undefined {
  const cell = line.cells[column];
  if (
    cell === undefined ||
    line.labels.some(
      ({ start, end }) => start === cell.start && end <= cell.end && place.label.type === "text",
    )
  )
    return undefined;
  const words = line.text.slice(cell.start, cell.end);
  const value = readValue(place.label.type, words);
  return value === undefined ? undefined : found(place, value, confidence);
}

/** Handles stacked labels whose values are stacked after the last label. */
function isLoneLabel(line: LabeledLine | undefined): boolean {
  const [label] = line?.labels ?? [];
  return (
    line !== undefined &&
    line.cells.length === 1 &&
    label !== undefined &&
    label.label.type !== "longIdentifier" &&
    label.start === 0 &&
    /^[\s:.]*$/.test(line.text.slice(label.end))
  );
}

function runStart(lines: readonly LabeledLine[], index: number): number {
  let first = index;
  while (first > 0 && isLoneLabel(lines[first - 1])) first -= 1;
  return first;
}

function runLength(lines: readonly LabeledLine[], first: number): number {
  let length = 1;
  while (isLoneLabel(lines[first + length])) length += 1;
  return length;
}

function found(
  { label: { key, weight } }: LabelPlace,
  value: string,
  confidence: number,
): FoundField {
  return {
    key,
    value: value.replace(/\s+/g, " ").trim(),
    confidence: Math.round(confidence * weight * 100) / 100,
  };
}
