import { setImmediate as nextTurn } from "node:timers/promises";
import type { ParsedDocument } from "../parsed-document.ts";
import { amountsIn, asAmount, isSameAmount, type Amount } from "./amounts.ts";
import { asDates, datesIn } from "./dates.ts";
import { findsAlone } from "./find-alone.ts";
import { foldSigns, foldSpaces } from "./normalise.ts";
import { passagesOf, type Passage } from "./passages.ts";

/** `normalised`: written otherwise, e.g. 1,234.50 for 1.234,50. */
export type Match = "exact" | "normalised";

export interface FoundValue {
  readonly match: Match;
  /** "page 2", "Sheet1, row 4", "table 2, row 3", "line 12", "attachment invoice.pdf, page 1". */
  readonly place: string;
}

/** Looking up one value takes less than this, whatever the document says. */
const turnMs = 10;

/** A value in every form that it is looked for. */
interface Wanted {
  readonly raw: string;
  readonly folded: string;
  readonly amount: Amount | undefined;
  readonly dates: readonly string[];
}

/** A text in every form that values are looked for in, each made when it is first needed. */
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
 * Looks each value up in the document, in the order given; undefined is not there. An exact find goes before a normalised one,
 * else the first place counts. Gives way to others after some milliseconds, since documents may be long.
 */
export async function checkValues(
  document: ParsedDocument,
  values: readonly string[],
): Promise<(FoundValue | undefined)[]> {
  const wanted = values.map(asWanted);
  const found: (FoundValue | undefined)[] = values.map(() => undefined);
  let turnBegan = performance.now();
  for (const passage of passagesOf(document)) {
    const text = prepare(passage.text);
    for (const [index, one] of wanted.entries()) {
      if (performance.now() - turnBegan > turnMs) {
        await nextTurn();
        turnBegan = performance.now();
      }
      if (found[index]?.match === "exact") continue;
      const match = matchIn(text, one);
      if (match === undefined || (match === "normalised" && found[index])) continue;
      found[index] = locate(passage, one, match) ?? found[index];
    }
    if (found.every((one) => one?.match === "exact")) break;
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
  if (findsAlone(text.raw, raw)) return "exact";
  if (findsAlone(text.folded(), folded)) return "normalised";
  if (amount && text.amounts().some((one) => isSameAmount(one, amount))) return "normalised";
  return dates.some((day) => text.dates().has(day)) ? "normalised" : undefined;
}

/** The first part that holds it as well as the whole does, else the first that holds it at all. */
function locate({ parts, place }: Passage, wanted: Wanted, match: Match): FoundValue | undefined {
  let second: FoundValue | undefined;
  for (const part of parts) {
    const own = matchIn(prepare(part.text), wanted);
    if (own === match) return { match, place: part.place };
    if (own !== undefined) second ??= { match: own, place: part.place };
  }
  return second ?? (place === undefined ? undefined : { match, place });
}
