import { nameWords } from "@bron/core";

/** How the owner speaks of a mail: "the newest invoice from Rachel". */
interface MailMention {
  /** Each is in the subject, or names the sender. */
  readonly words: readonly string[];
  /** Those that can only name the sender: "mail from Eva", "Eva's mail". */
  readonly senderWords: readonly string[];
  readonly isNewest: boolean;
}

const setOf = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ").flatMap(nameWords)));

/** What a mail is called, in the languages that Bron is tested with. */
const mails = setOf(
  "mail email mails emails message messages thread conversation reply one",
  "nachricht nachrichten courriel mél correo mensaje posta messaggio bericht wiadomość",
);
/** Words before a sender. */
const origins = setOf("from by von od da dal dalla van");
/** Words around the subject or the sender. */
const fillers = setOf(
  "e about of on re regarding to in with subject sent wrote what",
  "vom über zu zum zur wegen betreff schrieb geschrieben geschickt",
  "de du des d sur à au objet écrit envoyé",
  "de del sobre asunto escribió envió mandó",
  "su sul oggetto scritto mandato",
  "over onderwerp schreef stuurde",
  "o temat napisał napisała",
);
const newest = setOf(
  "newest latest last recent most",
  "neueste neuesten letzte letzten jüngste",
  "dernier dernière récent récente",
  "último última reciente",
  "ultimo ultima recente",
  "laatste nieuwste",
  "ostatni ostatnia ostatnią najnowszy najnowszą",
);

/** Whether a word is an id that Gmail gives to emails and conversations. */
export function isMailId(word: string): boolean {
  return /^(?=.*\d)[0-9a-f]{16}$/i.test(word);
}

export function readMailMention(mention: string): MailMention {
  const words = nameWords(mention.replaceAll(/['’]s\b/g, ""));
  return {
    words: words.filter(isOwnWord),
    senderWords: [...wordsAfterMail(words), ...ownersOfMail(mention)],
    isNewest: words.some((word) => newest.has(word)),
  };
}

function isOwnWord(word: string): boolean {
  return ![mails, origins, fillers, newest].some((words) => words.has(word));
}

/** "The latest mail from Eva": what follows "from", up to a word such as "about". */
function wordsAfterMail(words: readonly string[]): readonly string[] {
  const from = words.findIndex(
    (word, index) => origins.has(word) && isMail(words[index - 1] ?? ""),
  );
  if (from === -1) return [];
  const after = words.slice(from + 1);
  const end = after.findIndex((word) => !isOwnWord(word));
  return end === -1 ? after : after.slice(0, end);
}

/** "Eva's latest mail". */
function ownersOfMail(mention: string): readonly string[] {
  return [...mention.matchAll(/([\p{L}\p{M}\p{N}.-]+)['’]s\s+(\S+)/gu)].flatMap(
    ([, owner = "", next = ""]) => (nameWords(next).some(isMail) ? nameWords(owner) : []),
  );
}

function isMail(word: string): boolean {
  return mails.has(word) || newest.has(word);
}
