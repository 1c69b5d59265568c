import { omitUndefined } from "@bron/protocol";
import { normalizeText } from "../policy/text/normalize-text.ts";
import { wordsIn } from "../policy/owner-words/words-in.ts";
import { nameWords } from "./name-words.ts";

/** How the owner speaks of a file: "invoice-march.txt, which Eva sent". */
export interface FileMention {
  /** The end of its name, with the extension, in lower case. */
  readonly name?: string;
  /** Each is in the file name, or names the sender. */
  readonly words: readonly string[];
  /** Every word of the mention. */
  readonly typed: readonly string[];
}

/** Words around a file name, in the languages that Bron is tested with. */
const fillers = new Set(
  [
    "file files attachment attached attach document pdf from by of that which who sent gave wrote shared uploaded one is in and",
    "datei anhang dokument von vom die der das welche schickte geschickt hat gesendet angehängte",
    "fichier pièce jointe document de du que qui envoyé a joint",
    "archivo adjunto documento de que envió mandó adjunta",
    "allegato documento di da che ha inviato mandato",
    "bestand bijlage document van dat die stuurde gestuurd heeft",
    "plik załącznik dokument od który wysłał wysłała",
  ].flatMap((line) => line.split(" ").flatMap(nameWords)),
);
const maxCharacters = 255;

export function readFileMention(mention: string): FileMention {
  const text = plainName(mention.slice(0, maxCharacters));
  const [name] = /[^\s"'«»“”„,;:()/\\]+\.[a-z0-9]{2,5}(?![\p{L}\p{N}])/u.exec(text) ?? [];
  const words = nameWords(text.replaceAll(/['’]s\b/g, ""));
  return {
    ...omitUndefined({ name }),
    words: words.filter(isOwnWord),
    typed: wordsIn(text),
  };
}

function isOwnWord(word: string): boolean {
  return !fillers.has(word);
}

/**
 * The words of a mention that are not in the name of a file, so that they must name its sender.
 * Undefined if the mention cannot mean a file of this name.
 */
export function wordsBesideName(
  { name, words, typed }: FileMention,
  filename: string,
): readonly string[] | undefined {
  const inName = wordsIn(filename);
  const beside = words.filter((word) => !inName.includes(word));
  if (name === undefined) return beside.length < words.length ? beside : undefined;
  // The owner must have typed all words of a longer name.
  const isTypedCompletely = inName.every((word) => typed.includes(word));
  const shown = plainName(filename);
  return isTypedCompletely && (shown === name || shown.endsWith(` ${name}`)) ? beside : undefined;
}

function plainName(text: string): string {
  return normalizeText(text, "NFKC").toLowerCase().trim();
}
