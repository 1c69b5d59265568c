import { setImmediate as nextTurn } from "node:timers/promises";
import type { ParsedDocument } from "../parsed-document.ts";
import { amountsIn, asAmount, isSameAmount, type Amount } from "./amounts.ts";
import { asDates, datesIn } from "./dates.ts";
import { containsStandalone } from "./contains-standalone.ts";
import { foldSigns, foldSpaces } from "./normalize.ts";
import { passagesOf, type Passage } from "./passages.ts";

/**
 * `normalised` means that the document writes the value differently, such as 1,234.50 for 1.234,50.
 */
type Match = "exact" | "normalised";

export interface FoundValue {
  readonly match: Match;
  /** "page 2", "Sheet1, row 4", "table 2, row 3", "line 12", "attachment invoice.pdf, page 1". */
  readonly place: string;
}

/** Time slice. Looking up one value takes less than this in any document. */
const turnMs = 10;

/** A value in every form to search for. */
interface Wanted {
  readonly raw: string;
  readonly folded: string;
  readonly amount: Amount | undefined;
  readonly dates: readonly string[];
}

/** A text in every form to search in. Each form is computed on first use. */
function prepare(text: string) {
  let signs: string | undefined;
  let folded: string | undefined;
  let amounts: Amount[] | undefined;
  let dates: Set<string> | undefined;
  const withSigns = () => (signs ??= foldSigns(text));
  return {
    raw: text,
    folded: () => (folded ??= foldSpaces(withSigns())),
    amounts: () => (amounts ??= amountsIn(withSigns())),
    dates: () => (dates ??= datesIn(withSigns().replace(/[^\S\t]+/g, " "))),
  };
}

/**
 * Looks up each value in the document, in the given order. Undefined means not found. An exact
 * match takes precedence over a normalized one, otherwise the first place counts. Yields to the
 * event loop after some milliseconds, because documents may be long.
 */
export async function checkValues(
  document: ParsedDocument,
  values: readonly string[],
): Promise<(FoundValue | undefined)[]> {
  const searchedValues = values.map(asWanted);
  const found: (FoundValue | undefined)[] = values.map(() => undefined);
  let turnStart = performance.now();
  for (const passage of passagesOf(document)) {
    const text = prepare(passage.text);
    for (const [index, searched] of searchedValues.entries()) {
      if (performance.now() - turnStart > turnMs) {
        await nextTurn();
        turnStart = performance.now();
      }
      if (found[index]?.match === "exact") continue;
      const match = matchIn(text, searched);
      if (match === undefined || (match === "normalised" && found[index])) continue;
      found[index] = locate(passage, searched, match) ?? found[index];
    }
    if (found.every((result) => result?.match === "exact")) break;
  }
  return found;
}

function asWanted(value: string): Wanted {
  const raw = value.trim();
  const folded = foldSpaces(foldSigns(raw));
  return { raw, folded, amount: asAmount(folded), dates: asDates(folded) };
}

function matchIn(
  text: ReturnType<typeof prepare>,
  { raw, folded, amount, dates }: Wanted,
): Match | undefined {
  if (folded === "") return undefined;
  if (containsStandalone(text.raw, raw)) return "exact";
  if (containsStandalone(text.folded(), folded)) return "normalised";
  if (amount && text.amounts().some((candidate) => isSameAmount(candidate, amount)))
    return "normalised";
  return dates.some((day) => text.dates().has(day)) ? "normalised" : undefined;
}

/**
 * The first part with the same kind of match as the entire passage, otherwise the first part with
 * any match.
 */
function locate({ parts, place }: Passage, wanted: Wanted, match: Match): FoundValue | undefined {
  let fallback: FoundValue | undefined;
  for (const part of parts) {
    const partMatch = matchIn(prepare(part.text), wanted);
    if (partMatch === match) return { match, place: part.place };
    if (partMatch !== undefined) fallback ??= { match: partMatch, place: part.place };
  }
  return fallback ?? (place === undefined ? undefined : { match, place });
}
