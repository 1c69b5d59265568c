import { omitUndefined } from "@bron/protocol";
import { quotation } from "../planner/quotes.ts";
import { contentWords } from "./content-words.ts";
import { documentNames } from "./document-names.ts";
import { detectLanguage } from "./language.ts";
import type { FileType, MailSearch } from "./mail-task.ts";
import type { Scratch } from "./scratch.ts";
import { takeAge, takeDays } from "./time-words.ts";
import { takeTopic } from "./take-topic.ts";

const fileTypes: readonly (readonly [RegExp, FileType])[] = [
  [/\bpdfs?\b/, "pdf"],
  [/\bcsvs?\b/, "csv"],
  [
    /\b(?:xlsx?|excel|spread ?sheets?|excel-?(?:datei|tabelle)|tabellen?|tableurs?|feuilles? de calcul|classeurs?)\b/,
    "xlsx",
  ],
];
const attachment =
  /\b(?:attachments?|attached|mit (?:einem )?anhang|anhange?n?|angehangte?[nrs]?|pieces? jointes?|fichiers? joints?|en annexe)\b/;
const states: readonly (readonly [RegExp, string])[] = [
  [/\b(?:unread|not read|ungelesene?[nrs]?|non lus?|non lues?|pas lus?)\b/, "is:unread"],
  [/\b(?:starred|markierte?[nrs]?|suivis?)\b/, "is:starred"],
  [
    /\b(?:in|into|from|through) (?:my |the )?inbox\b|\bim posteingang\b|\bmy inbox\b|\bboite de reception\b/,
    "in:inbox",
  ],
  [
    /\b(?:(?:that |which )?i (?:have )?sent|my sent|sent (?:mails?|messages?|folder)|gesendete[nr]?|die ich (?:\w+ )*(?:geschickt|gesendet)|que j'ai envoye\w*|envoyes par moi)\b/,
    "in:sent",
  ],
];
/** Marks the end of the search clause and the start of what to do with the result. */
const furtherWork =
  /;|(?:[,.:]|\b(?:and|then|und|dann|et|puis|ensuite)\b)\s*(?:(?:and|then|und|dann|et|puis|please|bitte)\s+)*(?:extract|pull|read|draft|write|calculate|compute|post|compose|prepare|send|e-?mail|mail|forward|summari|tell|give|reply|answer|attach|show|put|list|extrahier|lies|les[et]?|entwirf|entwurf|schreib|schick|send|verfass|fass|sag|antwort|erstell|hang|leite|bereite|zieh|nenn|extrai|releve|lis|redige|ecri|prepar|envoi|resum|dis|repond|transm|transf|joins|donne|fais)/;

/**
 * Takes the remaining search criteria. Sender, document and recipients must have been taken before.
 */
export function takeSearch(
  scratch: Scratch,
  { sender, document, kin, named }: Pick<MailSearch, "sender"> & Partial<TakenDocument>,
  restore: (text: string) => string,
): MailSearch {
  const days = takeDays(scratch);
  const age = takeAge(scratch);
  const found = fileTypes
    .filter(([pattern]) => scratch.take(pattern) !== undefined)
    .map(([, type]) => type);
  const hasAttachment = scratch.take(attachment) !== undefined;
  const operators = states
    .filter(([pattern]) => scratch.take(pattern) !== undefined)
    .map(([, operator]) => operator);
  const topic = takeTopic(scratch);
  const own = searchWords(scratch);
  const words = topic === undefined ? own : topic;
  const marks = Array.from(
    `${words} ${topic === undefined ? "" : own}`.matchAll(new RegExp(quotation, "g")),
    ([mark]) => restore(mark),
  );
  return {
    ...omitUndefined({ sender, document, kin, age }),
    words: contentWords(words.replace(new RegExp(quotation, "g"), " "))
      .filter(
        (word) =>
          document === undefined || topic !== undefined || word === named || isName(word, words),
      )
      .slice(0, 6),
    phrases: marks,
    fileTypes: found,
    hasAttachment,
    operators: [...operators, ...days],
  };
}

/**
 * If a kind of document is named, only names and numbers narrow the search. German
 * capitalizes all nouns, so only numbers count there.
 */
function isName(word: string, words: string): boolean {
  return (
    /\d/.test(word) ||
    (/^\p{Lu}/u.test(word) && detectLanguage(words) !== "de" && !words.trimStart().startsWith(word))
  );
}

export interface TakenDocument {
  /** The name used in the task, then its other names. */
  readonly document: readonly string[];
  readonly kin: readonly string[];
  /** The word directly before it, as in "the last Northwind invoice". */
  readonly named: string;
}

export function takeDocument(scratch: Scratch): TakenDocument | undefined {
  for (const { pattern, names, kin } of documentNames) {
    const before = scratch.text();
    const taken = scratch.take(pattern);
    if (taken === undefined) continue;
    const said = singular(taken.whole, names);
    const [, named = ""] =
      /(\p{Lu}[\p{L}\d&.]*)[\s-]+$/u.exec(before.slice(0, before.indexOf(taken.whole))) ?? [];
    return {
      document: [said, ...names.filter((name) => name.toLowerCase() !== said.toLowerCase())],
      kin,
      named,
    };
  }
  return undefined;
}

/** The singular name in the language of the task: "invoices" becomes "invoice". */
function singular(said: string, names: readonly string[]): string {
  const known = names.find((name) =>
    said.toLowerCase().startsWith(name.toLowerCase().slice(0, Math.max(4, name.length - 3))),
  );
  return known ?? said;
}

/** The search clause without its recipients. */
function searchWords(scratch: Scratch): string {
  const text = scratch.text();
  const end = furtherWork.exec(text.toLowerCase())?.index ?? text.length;
  return text
    .slice(0, end)
    .replace(/\b(?:to|an|à)\s+(?:my|our|meine[nm]?|unsere[nm]?|mon|ma|notre)\s+\p{L}+/giu, " ");
}
