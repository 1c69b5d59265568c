import type { FoundField } from "./find-labeled.ts";
import type { Line } from "./lines.ts";

const pair = /^(?<label>\p{Lu}[\p{L}\d .,/()'’&-]{1,38}?)\s?:\s+(?<value>\S.{0,78})$/u;

/** Salutations, which are not fields. */
const address =
  /^(?:assistant|system|user|ai|bot|model|instructions?|important|attention|note|hinweis|remarque|p\.?s\.?)$/i;

/** Finds "Any label: its value" pairs, for kinds of documents without known labels. */
export function findPairs(
  lines: readonly Line[],
  known: readonly FoundField[],
): readonly FoundField[] {
  const values = new Set(known.map(({ value }) => value));
  const found = new Map<string, FoundField>();
  for (const line of lines) {
    for (const { start, end } of line.cells) {
      const { label, value } = pair.exec(line.text.slice(start, end))?.groups ?? {};
      if (label === undefined || value === undefined || found.has(label)) continue;
      const isKnown = [...values].some((one) => value.includes(one) || one.includes(value.trim()));
      if (!isKnown && label.split(" ").length <= 4 && !address.test(label))
        found.set(label, { key: label, value: value.trim().replace(/\s+/g, " "), confidence: 0.6 });
    }
  }
  return [...found.values()];
}
