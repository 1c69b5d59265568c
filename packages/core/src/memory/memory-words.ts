import { normalizeText } from "../policy/text/normalize-text.ts";

const maxEntryWords = 300;
const maxQueryWords = 12;
const maxWordLength = 60;
/** Languages that write no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/**
 * The words of a text, without accents, in lower case. Where a language has no spaces, every two
 * neighboring letters are a word.
 */
function foldedWords(text: string): string[] {
  const folded = normalizeText(text.toLowerCase(), "NFKD").replaceAll(/\p{M}+/gu, "");
  const words = folded.replaceAll("ß", "ss").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    const pairs = (word.match(unspaced) ?? []).flatMap(pairsOf);
    const rest = word.replaceAll(unspaced, " ").split(" ").filter(Boolean);
    return [...pairs, ...rest].map((one) => one.slice(0, maxWordLength));
  });
}

function pairsOf(text: string): string[] {
  const letters = Array.from(text);
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`);
}

/** What an entry can be found by. */
export function memoryWords(text: string): string[] {
  return [...new Set(foldedWords(text))].slice(0, maxEntryWords);
}

/** A word of a question. An entry matches if one of its words begins with the stem. */
export interface MemoryTerm {
  readonly word: string;
  readonly stem: string;
}

/**
 * What a question looks for. Words that say nothing about the topic are left out, unless there are
 * no others.
 */
export function memoryTerms(question: string): MemoryTerm[] {
  const words = [...new Set(foldedWords(question))];
  const telling = words.filter((word) => !functionWords.has(word));
  return (telling.length > 0 ? telling : words)
    .slice(0, maxQueryWords)
    .map((word) => ({ word, stem: stemOf(word) }));
}

/** The first part of a word, so that "allergic" finds "allergy" without rules for each language. */
function stemOf(word: string): string {
  const letters = Array.from(word);
  if (letters.length <= 4 || /\p{N}/u.test(word)) return word;
  return letters.slice(0, Math.max(4, Math.ceil(letters.length * 0.6))).join("");
}

/** How much a match of a term counts. Rare words count more, and so do whole words. */
export function termWeight(entriesWithTerm: number, isComplete: boolean): number {
  return Math.log(1 + 1_000 / entriesWithTerm) * (isComplete ? 1 : stemWeight);
}
export const stemWeight = 0.7;

/** Articles, pronouns, prepositions and question words of frequent languages. */
const functionWords: ReadonlySet<string> = new Set(
  `a about am an and any are as at be been by can could d did do does for from had has have he her him his how i in into is it its just
  ll m may me might my no not of on or our re s shall she should so t tell than that the their them then there these they this to u up us user users
  ve was we were what when where which who whom whose why will with would you your know remember
  aber als am an auch auf aus bei bin bist da das dass dem den der des die dir du ein eine einem einen einer es euch fur hat hast habe haben ich ihm ihn ihr
  im in ist ja kann man mein meine meinem meinen meiner mich mir mit nach nicht noch oder sein seine sich sie sind so uber um und uns von war was weisst welche
  welchen welcher welches wem wen wenn wer werden wie wir wird wo zu zum zur
  ai au aux avec ce ces cette comment dans de des du elle en est et il ils je la le les leur lui ma mais me mes moi mon ne nous ou par pas pour quand que quel
  quelle quelles quels qui quoi sa se ses son sont sur ta te tes toi ton tu un une vous y
  al como con cual cuando cuales de del donde el ella ellos es esta este ha las lo los mas mi mis muy nos para pero por que quien se ser si sin sobre soy su sus
  te tengo ti tiene tu tus un una y yo
  che chi ci come con cosa da dei del della di dove e gli ho i il io la le lo loro mi mia mio nei nel non per perche piu quale quali quando quanto sono su suo ti
  tra un una uno
  de het een en van ik je jij dat die dit er hoe hij in is mijn naar niet of om op te voor waar wanneer wat welke wie zijn
  ao aos as com como da das de dele do dos e ela ele em eu isso meu minha na nas no nos o onde os ou para pela pelo por qual quando quem se sem seu sua um uma voce
  ale co czy do gdzie i jak jaki jakie jest kiedy kto ma mam moj moja na nie o od po sie sa ten to w z za ze`
    .split(/\s+/)
    .filter(Boolean),
);
