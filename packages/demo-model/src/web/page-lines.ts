import { foldText } from "../reading/fold-text.ts";

export interface PageTopic {
  readonly topic: readonly string[];
  readonly wantsPrices: boolean;
}

interface PageLine {
  readonly text: string;
  /** How many words of the topic the line contains. */
  readonly hits: number;
  readonly hasPrice: boolean;
}

const price = /(?:€|£|\$)\s?\d|\d\s?(?:€|£|\$|EUR|USD|GBP|CHF|PLN|euros?|dollars?)(?![a-z])/i;

/**
 * The lines of a page that match the question, unchanged. Empty when none match. Table cells are
 * returned with their headings.
 */
export function pageLines(text: string, { topic, wantsPrices }: PageTopic): readonly string[] {
  const stems = topic.map(stem);
  const lines = rowsAsLines(text).map((line): PageLine => ({
    text: line,
    hits: stems.filter((word) => foldText(line).includes(word)).length,
    hasPrice: price.test(line),
  }));
  if (stems.length === 0)
    return (wantsPrices ? lines.filter(({ hasPrice }) => hasPrice) : lines).map(
      (line) => line.text,
    );
  const bestHits = Math.max(0, ...lines.map(({ hits }) => hits));
  const matching = lines.filter(({ hits }) => hits > 0 && hits === bestHits);
  const priced = matching.filter(({ hasPrice }) => hasPrice);
  return (wantsPrices && priced.length > 0 ? priced : matching).map((line) => line.text);
}

/** Searches for "dropouts" as "dropout". */
function stem(word: string): string {
  const folded = foldText(word);
  return folded.length > 4 ? folded.replace(/(?:en|es|s|n)$/, "") : folded;
}

/** Cells are separated by tabs. The first row of a table has the headings. */
function rowsAsLines(text: string): readonly string[] {
  const described: string[] = [];
  let headings: readonly string[] | undefined;
  for (const line of text.split("\n")) {
    const cells = line.split("\t").map((cell) => cell.replace(/\s+/g, " ").trim());
    if (cells.length < 2) {
      headings = undefined;
      if (cells[0]) described.push(cells[0]);
    } else if (headings === undefined) {
      headings = cells;
      described.push(cells.join(" | "));
    } else {
      const [name = "", ...values] = cells;
      const known = headings;
      described.push(
        `${name}: ${values.map((value, index) => [known[index + 1] ?? "", value].filter((part) => part !== "").join(" ")).join("; ")}`,
      );
    }
  }
  return described;
}
