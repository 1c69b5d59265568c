// The rules that scripts/vocabulary.ts enforces. docs/glossary.md explains the words.

export interface WordRule {
  readonly instead: string;
  /** Identifiers, and file names without extensions, that may use the word. */
  readonly names?: readonly string[];
  /** Path prefixes under which the word is allowed. */
  readonly paths?: readonly string[];
}

/**
 * Words that are wrong for the thing in `instead`. `names` and `paths` list where a word means
 * something else, or where a log, a table or the wire has kept it.
 */
export const words: Readonly<Record<string, WordRule>> = {
  answer: {
    instead: "message, partial text, reply or response",
    // Stored: the key of an approval's reply, of a run's last message and of a summary card.
    names: ["partialAnswer", "AnswersInProgressTable", "answers_in_progress"],
    paths: [
      "apps/cli/src/",
      "apps/server/src/",
      "bench/",
      "packages/runtime/src/tracing/",
      "packages/core/src/audit/",
      "packages/core/src/run/",
      "packages/protocol/src/events.ts",
      "packages/store/src/",
      "test/",
      // Guests answer an invitation, and a question has an answer.
      "packages/connectors/src/calendar/",
      "packages/demo-model/",
      "packages/simulator/",
    ],
  },
  answers: {
    instead: "messages, partial texts, replies or responses",
    names: ["AnswersInProgressTable", "answers_in_progress"],
    paths: [
      "apps/server/src/",
      "packages/connectors/",
      "packages/core/src/run/",
      "packages/store/src/",
      "packages/demo-model/",
      "packages/simulator/",
      "test/",
    ],
  },
  beat: { instead: "heartbeat" },
  beats: { instead: "heartbeats" },
  bench: { instead: "harness", paths: ["bench/", "test/bench/"] },
  bot: {
    instead: "Bron",
    // Slack calls its apps bots.
    paths: [
      "packages/connectors/src/slack/",
      "packages/demo-model/src/",
      "packages/simulator/src/",
    ],
    names: ["botToken"],
  },
  decline: { instead: "deny" },
  deed: { instead: "RuntimeEvent" },
  deeds: { instead: "runtime events or telemetry" },
  difference: {
    instead: "diff",
    // Stored: the key of an approval's diff.
    names: ["difference"],
  },
  differences: { instead: "diff" },
  figure: { instead: "metric", paths: ["bench/", "test/bench/"] },
  figures: { instead: "metrics", paths: ["bench/", "test/bench/"] },
  follow: { instead: "subscribe", paths: ["packages/demo-model/src/"] },
  invocation: { instead: "action" },
  job: { instead: "run" },
  lab: { instead: "harness" },
  nudge: { instead: "steer" },
  part: {
    instead: "child run",
    // Messages, dates, rules and files have parts.
    names: [
      "AssistantPart",
      "MessagePart",
      "Part",
      "PromptPart",
      "StreamPart",
      "inPart",
      "isInLocalPart",
      "part",
      "sendPart",
      "startOfLocalPart",
      "toMessagePart",
      "toolResultPart",
    ],
    paths: [
      "packages/connectors/",
      "packages/documents/",
      "packages/models/",
      "packages/demo-model/",
      "packages/simulator/",
    ],
  },
  parts: {
    instead: "deps, or child runs",
    names: ["explainedParts", "openMessageParts", "parts", "streamParts"],
    paths: [
      "packages/connectors/",
      "packages/documents/",
      "packages/models/",
      "packages/demo-model/",
      "packages/simulator/",
    ],
  },
  somebody: { instead: "owner" },
  story: { instead: "timeline" },
  tenant: { instead: "site or owner" },
  whoever: { instead: "a noun" },
  whole: { instead: "parent run, or complete", names: ["whole"] },
  wholes: { instead: "parent runs" },
  withdraw: { instead: "undo" },
  withdrawn: { instead: "undone" },
  world: { instead: "simulator" },
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

/** Stems that also occur in correct words. Only these complete words are wrong. */
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

/** Exceptions by path prefix: words of a provider's API, and words that people type. */
const allowedSpellings: readonly {
  readonly words: readonly string[];
  readonly paths: readonly string[];
}[] = [
  // Google Calendar's status, and iCalendar's.
  {
    words: ["cancelled"],
    paths: [
      "packages/connectors/",
      "packages/demo-model/",
      "packages/simulator/",
      "packages/documents/",
      "test/",
      "apps/",
    ],
  },
  // Tasks as people type them, in British English too, and other languages.
  {
    words: [
      "summarise",
      "summarising",
      "organise",
      "cancelling",
      "labelled",
      "adresse",
      "adressen",
      "adresses",
      "adressee",
      "rechnungsadresse",
      "lieferadresse",
      "neighbours",
      "catalogue",
      "colour",
      "colours",
      "capitalised",
      "grey",
      "licence",
    ],
    paths: [
      "packages/demo-model/",
      "packages/simulator/",
      "test/",
      "packages/core/src/policy/",
      "packages/documents/",
    ],
  },
  // The name of an HTML attribute.
  { words: ["labelledby"], paths: ["apps/web/", "test/browser/"] },
  // Stored: how a field was matched.
  { words: ["normalised"], paths: ["packages/documents/src/fields/", "packages/documents/src/"] },
];

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
