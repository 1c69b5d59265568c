// Spellings that scripts/vocabulary.ts rejects: British ones, and common mistakes.

/** British stem, US stem. Endings stay as they are. */
const stems: readonly (readonly [string, string])[] = [
  ["colour", "color"],
  ["flavour", "flavor"],
  ["behaviour", "behavior"],
  ["favour", "favor"],
  ["honour", "honor"],
  ["neighbour", "neighbor"],
  ["labour", "labor"],
  ["rumour", "rumor"],
  ["analys", "analyz"],
  ["cancelled", "canceled"],
  ["cancelling", "canceling"],
  ["labelled", "labeled"],
  ["labelling", "labeling"],
  ["modelled", "modeled"],
  ["modelling", "modeling"],
  ["travelled", "traveled"],
  ["travelling", "traveling"],
  ["traveller", "traveler"],
  ["signalled", "signaled"],
  ["misspelt", "misspelled"],
  ["learnt", "learned"],
  ["fulfil", "fulfill"],
  ["programme", "program"],
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
  analys: /^analys(?:e|ed|ing)$/i,
  metre: /^(?:kilo|centi|milli)?metres?$/i,
  wich: /^wich$/i,
  teh: /^teh$/i,
  wether: /^wether$/i,
  favour: /^(?:un)?favour/i,
  learnt: /^(?:un)?learnt$/i,
  fulfil: /^fulfil(?:s|ment|ments)?$/i,
  programme: /^programmes?$/i,
};

/** Verbs in -ise and their nouns: prioritise, normalised, authorisation. US English has a z. */
const britishVerb = /^([a-z]{3,})is(e|ed|es|ing|er|ers|ation|ations)$/;
/** Words that US English spells with an s, by the letters in front of -ise. All of -wise have one. */
const americanStem =
  /^(?:.*w|(?:un)?adv|advert|appr|appra|bra|bru|chast|circumc|compr|(?:un)?comprom|conc|cru|dem|desp|dev|disgu|enterpr|exc|exerc|expert|franch|fundra|(?:im)?prec|improv|inc|lia|merchand|parad|pra|prem|(?:un)?prom|repr|rev|(?:un)?superv|surm|(?:un)?surpr|telev|torto|treat|turquo)$/;

const pattern = new RegExp(`[a-z]*(?:${stems.map(([from]) => from).join("|")})[a-z]*`, "gi");

/** Exceptions by path prefix: words of a provider's API, and words that people type. */
const allowedSpellings: readonly {
  readonly words: readonly string[];
  readonly paths: readonly string[];
}[] = [
  // Google Calendar's status of a deleted event, and a status of its errors.
  {
    words: ["cancelled"],
    paths: [
      "apps/cli/src/render/workspace-card.ts",
      "apps/web/src/cards/workspace-cards.tsx",
      "packages/connectors/src/calendar/",
      "packages/demo-model/src/google-error.ts",
      "packages/simulator/src/calendar-seed/",
      "packages/simulator/src/google/calendar/",
    ],
  },
  // Tasks and files as people write them, in British English and other languages.
  {
    words:
      "summarise summarising organise cancelling labelled adresse adressen adresses adressee rechnungsadresse lieferadresse neighbours catalogue colour colours capitalised grey licence preise entreprise remise stahlpreise rebaptise programme apologised".split(
        " ",
      ),
    paths: [
      "packages/demo-model/",
      "packages/simulator/",
      "test/",
      "packages/core/src/policy/",
      "packages/documents/",
    ],
  },
  // The name of an HTML attribute.
  { words: ["labelledby"], paths: ["apps/web/", "packages/page-widget/", "test/browser/"] },
  // Stored: how a field was matched.
  { words: ["normalised"], paths: ["packages/documents/src/"] },
];

/** Files that quote misspellings. */
const unchecked = ["scripts/spelling.ts", "test/vocabulary.test.ts"];

/** The misspelled words of a line, each with its US spelling. */
export function misspellingsIn(
  path: string,
  line: string,
): { readonly word: string; readonly instead: string }[] {
  if (unchecked.includes(path)) return [];
  return [...misspelledStems(line), ...britishVerbs(line)].filter(
    ({ word }) =>
      !allowedSpellings.some(
        (one) =>
          one.words.includes(word.toLowerCase()) &&
          one.paths.some((prefix) => path.startsWith(prefix)),
      ),
  );
}

function misspelledStems(line: string) {
  return [...line.matchAll(pattern)].flatMap(([word]) => {
    const lower = word.toLowerCase();
    const [from, to] = stems.find(([stem]) => lower.includes(stem)) ?? ["", ""];
    return endings[from]?.test(word) === false ? [] : [{ word, instead: lower.replace(from, to) }];
  });
}

function britishVerbs(line: string) {
  return Array.from(line.matchAll(/[A-Z]?[a-z]+/g)).flatMap(([word]) => {
    const [, stem = "", ending = ""] = britishVerb.exec(word.toLowerCase()) ?? [];
    return stem === "" || americanStem.test(stem) ? [] : [{ word, instead: `${stem}iz${ending}` }];
  });
}
