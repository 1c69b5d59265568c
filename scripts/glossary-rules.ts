// Reads the rules for names from the tables of docs/glossary.md, so that the two cannot differ.

export interface WordRule {
  /** A word, or the words of a phrase, in lower case. */
  readonly words: readonly string[];
  /** The glossary's own words for the thing. */
  readonly instead: string;
  /** Names that the glossary excepts: "turn, except in `maxModelTurns`". */
  readonly exceptNames: readonly string[];
}

/** Each word of the column "not" is a rule, unless an asterisk marks it as right elsewhere. */
export function readGlossary(markdown: string): WordRule[] {
  const rules = new Map<string, WordRule>();
  for (const [term, entry] of entriesOf(markdown)) {
    const [text = "", exception = ""] = entry.split(/,? except in /);
    const phrase = text.replace(/\(.*\)/, "").trim();
    if (phrase === "" || phrase.endsWith("*")) continue;
    const exceptNames = Array.from(exception.matchAll(/`(\w+)`/g), ([, name]) => name ?? "");
    const before = rules.get(phrase);
    rules.set(phrase, {
      words: splitName(phrase),
      instead: before ? `${before.instead} or ${term}` : term,
      exceptNames: [...(before?.exceptNames ?? []), ...exceptNames],
    });
  }
  return [...rules.values()];
}

function entriesOf(markdown: string): [term: string, entry: string][] {
  const rows = markdown.split("\n").filter((line) => /^\|(?! *word *\||-)/.test(line));
  return rows.flatMap((row) => {
    const [term = "", , not = ""] = row.split("|").slice(1, -1);
    const name = term.replace(/`|\(.*\)/g, "").trim();
    return not.split(/,(?! except)/).map((entry): [string, string] => [name, entry.trim()]);
  });
}

/** Splits `readAnswer_in`, `read-answer` and `HTTPAnswer` into lower-case words. */
export function splitName(name: string): string[] {
  return name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

const irregular: ReadonlyMap<string, readonly string[]> = new Map([
  ["take", ["took", "taken"]],
  ["withdraw", ["withdrew", "withdrawn"]],
]);

/** The word, its plural, and its forms as a verb: stop, stops, stopped, stopping, stopper. */
export function formsOf(word: string): Set<string> {
  const stem = word.replace(/e$/, "");
  const doubled = /^[^aeiou]*[aeiou][bdgmnpt]$/.test(word) ? word + word.at(-1) : stem;
  const plural = /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
  const isY = /[^aeiou]y$/.test(word);
  return new Set([
    word,
    isY ? word.replace(/y$/, "ies") : plural,
    isY ? word.replace(/y$/, "ied") : `${doubled}ed`,
    `${doubled}ing`,
    ...(irregular.get(word) ?? []),
  ]);
}
