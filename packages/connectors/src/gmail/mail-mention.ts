import { nameWords } from "@bron/core";

/** How the owner speaks of a mail: "the newest invoice from Rachel". */
interface MailMention {
  /** Each is in the subject, or names the sender. */
  readonly words: readonly string[];
  readonly isNewest: boolean;
}

/** Words around the subject or the sender, in the languages that Bron is tested with. */
const fillers = new Set(
  [
    "mail email mails emails e message messages thread conversation reply one from about of on re regarding to in with subject sent wrote",
    "nachricht nachrichten von vom über zu zum zur wegen betreff schrieb",
    "courriel mél message de du des sur à au objet",
    "correo mensaje sobre del asunto",
    "posta messaggio da dal dalla su sul oggetto",
    "bericht van over onderwerp",
    "wiadomość od o temat",
  ].flatMap((line) => line.split(" ").flatMap(nameWords)),
);
const newest = new Set(
  [
    "newest latest last recent most",
    "neueste neuesten letzte letzten jüngste",
    "dernier dernière récent récente",
    "último última reciente",
    "ultimo ultima recente",
    "laatste nieuwste",
    "ostatni ostatnia ostatnią najnowszy najnowszą",
  ].flatMap((line) => line.split(" ").flatMap(nameWords)),
);

/** Whether a word is an id that Gmail gives to emails and conversations. */
export function isMailId(word: string): boolean {
  return /^(?=.*\d)[0-9a-f]{16}$/i.test(word);
}

export function readMailMention(mention: string): MailMention {
  const words = nameWords(mention.replaceAll(/['’]s\b/g, ""));
  return {
    words: words.filter((word) => !fillers.has(word) && !newest.has(word)),
    isNewest: words.some((word) => newest.has(word)),
  };
}
