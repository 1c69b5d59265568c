import type { SlotReader } from "../recipe/slot.ts";

const emptyWords = new Set(
  (
    "a an the my our your his her their its this that these those it them me i i'm you we he she they of in on at to for from by with without and or but then also please now just all any some every each one ones out up off into as is are was were be been do does did has have had can could would will should whether if " +
    "last latest newest recent most new first next previous past old there here not no yes about which who what what's when when's where how many much so thanks thank hi hello hey bron " +
    "mail mails email emails e-mail e-mails message messages inbox mailbox thread threads conversation gmail attachment attachments attached file files document documents sheet pdf pdfs csv xlsx excel spreadsheet spreadsheets unread starred important subject body sender " +
    "find search look looks like get fetch locate show list check pull dig retrieve grab take bring give tell read open say says said see want need key fields field data details summary summarise summarize extract draft write compose prepare send sent forward reply respond answer count number came come comes received got arrived wrote written needs everything contains containing having know remind happened discussed page site website " +
    "calendar diary agenda schedule appointments appointment events event meetings meeting busy plans planned today happening coming anything something nothing day plan prepare upcoming"
  ).split(" "),
);

/** The words of a text that carry meaning. Numbers are kept because "order 4711" names an order. */
export function contentWords(text: string): readonly string[] {
  const words = text.match(/[\p{L}\d\uE200-\uE201][\p{L}\d&'’.@:/\uE200-\uE201-]*/gu) ?? [];
  const kept = words
    .map((word) => word.replace(/['’]s$/, "").replace(/[.'’:/-]+$/, ""))
    .filter((word) => word.length > 1 || /\d/.test(word));
  return [...new Set(kept)].filter((word) => !emptyWords.has(word.toLowerCase()));
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Takes the words that no other slot took. Conditions stay, because they select nothing. */
export const restWords: SlotReader<readonly string[]> = (text) => {
  const words = contentWords(text.rest());
  for (const word of words)
    text.takeAll(new RegExp(`(?<![\\p{L}\\d])${escaped(word)}(?![\\p{L}\\d])`, "u"));
  return words;
};

/** Lower case without accents. Positions in the result are positions in the text. */
export function foldText(text: string): string {
  const base = (letter: string) => (letter === "ł" ? "l" : letter.normalize("NFD").charAt(0));
  return text
    .replaceAll("’", "'")
    .replace(/[^\0-\x7f]/g, base)
    .toLowerCase();
}

/** Whether a text contains one of the words, whatever their endings. */
export function mentions(text: string, words: readonly string[]): boolean {
  const folded = foldText(text);
  return words.some((word) => folded.includes(foldText(word).replace(/(?<=.{3})(?:es|s)$/, "")));
}

/** Splits only after punctuation and line ends, so each sentence is an exact piece of the text. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\d]/u.test(sentence));
}
