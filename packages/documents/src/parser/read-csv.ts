import Papa from "papaparse";
import { decodeText } from "./decode-text.ts";
import type { Output } from "./output.ts";

const rowsBetweenReports = 1_000;

/** Reads one unnamed table. Detects the delimiter and the line endings. */
export function readCsv(bytes: Uint8Array, output: Output): void {
  output.kind("csv");
  const { text, guess } = decodeText(bytes);
  if (guess !== undefined) output.warn(guess);
  let count = 0;
  let oddQuotes = 0;
  Papa.parse<string[]>(text, {
    skipEmptyLines: true,
    step({ data, errors }, parser) {
      count += 1;
      oddQuotes += errors.filter(({ type }) => type === "Quotes").length;
      if (!output.row("", data)) parser.abort();
      if (count % rowsBetweenReports === 0) output.progress(count);
    },
  });
  output.progress(count);
  if (oddQuotes > 0)
    output.warn(
      `${oddQuotes === 1 ? "A quote is" : `${oddQuotes} quotes are`} not closed properly, so some cells may be merged.`,
    );
}
