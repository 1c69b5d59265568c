// What scripts/vocabulary.ts enforces. docs/glossary.md explains the words.

export interface WordRule {
  readonly instead: string;
  /** Identifiers and file names, without endings, that may use the word. */
  readonly names?: readonly string[];
  /** Beginnings of paths where the word is free. */
  readonly paths?: readonly string[];
}

/**
 * Words that are wrong for the thing in `instead`. `names` and `paths` list where a word means
 * something else, or where a log, a table or the wire has kept it.
 */
export const words: Readonly<Record<string, WordRule>> = {
  deed: { instead: "RuntimeEvent" },
  deeds: { instead: "runtime events or telemetry" },
  beat: { instead: "heartbeat" },
  beats: { instead: "heartbeats" },
  story: { instead: "timeline" },
  world: { instead: "simulator" },
  lab: { instead: "harness" },
  bench: { instead: "harness", paths: ["bench/", "test/bench/"] },
  bot: { instead: "Bron" },
  job: { instead: "run" },
  tenant: { instead: "site or owner" },
  invocation: { instead: "action" },
  wholes: { instead: "parent runs" },
  whole: { instead: "parent run" },
  parts: { instead: "deps, or child runs" },
  part: { instead: "child run" },
  withdraw: { instead: "undo" },
  withdrawn: { instead: "undone" },
  decline: { instead: "deny" },
  nudge: { instead: "steer" },
  follow: { instead: "subscribe" },
  watch: { instead: "subscribe" },
  figure: { instead: "metric" },
  figures: { instead: "metrics" },
  difference: { instead: "diff" },
  differences: { instead: "diff" },
  answer: { instead: "message, partial text, reply or response" },
  answers: { instead: "messages, partial texts, replies or responses" },
  somebody: { instead: "owner" },
  whoever: { instead: "a noun" },
};

/** British stem, US stem. Endings stay as they are. */
const stems: readonly (readonly [string, string])[] = [
  ["colour", "color"],
  ["behaviour", "behavior"],
  ["favour", "favor"],
  ["honour", "honor"],
  ["neighbour", "neighbor"],
  ["labour", "labor"],
  ["rumour", "rumor"],
  ["normalis", "normaliz"],
  ["recognis", "recogniz"],
  ["summaris", "summariz"],
  ["organis", "organiz"],
  ["authoris", "authoriz"],
  ["serialis", "serializ"],
  ["initialis", "initializ"],
  ["virtualis", "virtualiz"],
  ["synchronis", "synchroniz"],
  ["optimis", "optimiz"],
  ["minimis", "minimiz"],
  ["maximis", "maximiz"],
  ["customis", "customiz"],
  ["capitalis", "capitaliz"],
  ["generalis", "generaliz"],
  ["specialis", "specializ"],
  ["realis", "realiz"],
  ["analys", "analyz"],
  ["cancelled", "canceled"],
  ["cancelling", "canceling"],
  ["labelled", "labeled"],
  ["labelling", "labeling"],
  ["modelled", "modeled"],
  ["modelling", "modeling"],
  ["travelled", "traveled"],
  ["signalled", "signaled"],
  ["misspelt", "misspelled"],
  ["licence", "license"],
  ["defence", "defense"],
  ["offence", "offense"],
  ["centre", "center"],
  ["metre", "meter"],
  ["grey", "gray"],
  ["catalogue", "catalog"],
  ["artefact", "artifact"],
  ["judgement", "judgment"],
  ["ageing", "aging"],
  ["whilst", "while"],
  ["recieve", "receive"],
  ["seperat", "separat"],
  ["occured", "occurred"],
  ["occurence", "occurrence"],
  ["definately", "definitely"],
  ["accomodat", "accommodat"],
  ["neccessar", "necessar"],
  ["succesful", "successful"],
  ["untill", "until"],
  ["wich", "which"],
  ["teh", "the"],
  ["adress", "address"],
  ["refered", "referred"],
  ["existant", "existent"],
  ["persistant", "persistent"],
  ["dependan", "dependen"],
  ["independan", "independen"],
  ["enviroment", "environment"],
  ["wether", "whether"],
];

/** Stems that also begin other words, and are only wrong as these words. */
const endings: Readonly<Record<string, RegExp>> = {
  realis: /^realis(?:e|ed|es|ing|ation)$/i,
  analys: /^analys(?:e|ed|ing)$/i,
  optimis: /^optimis(?:e|ed|es|ing|ation)$/i,
  minimis: /^minimis(?:e|ed|es|ing)$/i,
  organis: /^(?:re)?organis(?:e|ed|es|ing|ation|ations)$/i,
  metre: /^(?:kilo|centi|milli)?metres?$/i,
  wich: /^wich$/i,
  teh: /^teh$/i,
  wether: /^wether$/i,
  favour: /^favour/i,
};

const pattern = new RegExp(`[a-z]*(?:${stems.map(([from]) => from).join("|")})[a-z]*`, "gi");

/** Words of a provider's API, and words that people type, by path prefix. */
const allowedSpellings: readonly {
  readonly words: readonly string[];
  readonly paths: readonly string[];
}[] = [];

/** Files that quote misspellings. */
const unchecked = ["scripts/vocabulary-rules.ts", "test/vocabulary.test.ts"];

/** The misspelled words of a line, each with its US spelling. */
export function misspellingsIn(
  path: string,
  line: string,
): { readonly word: string; readonly instead: string }[] {
  if (unchecked.includes(path)) return [];
  return [...line.matchAll(pattern)].flatMap(([word]) => {
    const lower = word.toLowerCase();
    const [from, to] = stems.find(([stem]) => lower.includes(stem)) ?? ["", ""];
    if (endings[from]?.test(word) === false) return [];
    const isAllowed = allowedSpellings.some(
      (one) => one.words.includes(lower) && one.paths.some((prefix) => path.startsWith(prefix)),
    );
    return isAllowed ? [] : [{ word, instead: lower.replace(from, to) }];
  });
}
