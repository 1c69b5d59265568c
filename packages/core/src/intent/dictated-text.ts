import { normalizeText } from "../policy/text/normalize-text.ts";
import { wordsIn } from "../policy/owner-words/words-in.ts";

/** The parts of an effect that its recipients read. */
export interface OutgoingText {
  /** The subject or title, and the location. */
  readonly titles: readonly string[];
  /** The body. Undefined if the effect has none. */
  readonly text?: string | undefined;
}

/** Words of names that may be in a greeting and in a signature. */
export interface GreetedNames {
  readonly recipients: ReadonlySet<string>;
  readonly owner: ReadonlySet<string>;
}

export interface DictatedMatch {
  /** The dictated texts that do not leave word for word. */
  readonly missing: readonly string[];
  /** The body is what the owner dictated, with at most a greeting and a signature around it. */
  readonly isAllText: boolean;
}

/**
 * Compares what would leave with what the owner dictated. The body must consist of the dictated texts
 * in their order. One of them may be a title instead. White space, forms of quote marks and a final period do
 * not count. Letters that look alike stay different.
 */
export function matchDictated(
  dictated: readonly string[],
  { titles, text }: OutgoingText,
  names: GreetedNames,
): DictatedMatch {
  const shownTitles = new Set(titles.map(plainText));
  const rest = dictated.filter((one) => !shownTitles.has(plainText(one)));
  // A body that is left empty is another text, too.
  if (rest.length === 0)
    return { missing: text === undefined ? [] : dictated, isAllText: text === undefined };
  const wanted = plainText(rest.join(" "));
  const isAllText = text !== undefined && bodiesOf(text, names).some((body) => body === wanted);
  return { missing: isAllText ? [] : rest, isAllText };
}

/** In a form in which the same words are equal. Characters that cannot be seen stay. */
function plainText(text: string): string {
  const plain = normalizeText(text, "NFKC")
    .replaceAll(/[“”„«»‹›]/g, '"')
    .replaceAll(/[‘’‚`´]/g, "'")
    // They choose between a drawn and a typed form of the same sign.
    .replaceAll(/[\ufe0e\ufe0f]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const inner = /^"[^"]*"$/.test(plain) ? plain.slice(1, -1).trim() : plain;
  return inner.endsWith(".") && !inner.endsWith("..") ? inner.slice(0, -1) : inner;
}

/** The text as it is, and without the greeting and the signature. */
function bodiesOf(text: string, names: GreetedNames): string[] {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first = ""] = lines;
  const starts = isGreeting(first, names.recipients) ? [0, 1] : [0];
  const ends = signatureStarts(lines, names.owner);
  return starts.flatMap((start) =>
    ends.map((end) => plainText(lines.slice(start, end).join("\n"))),
  );
}

const maxGreetingWords = 8;
/** Letters only, so that neither a host nor a number fits in. */
const nameLine = /^[\p{L}\p{M} ,!’'-]{1,80}\.?$/u;

/** "Hi Jonas," and nothing else. */
function isGreeting(line: string, names: ReadonlySet<string>): boolean {
  const words = wordsOfLine(line);
  const [first = ""] = words;
  return (
    greetings.has(first) &&
    words.length <= maxGreetingWords &&
    words.every((word) => greetings.has(word) || addressed.has(word) || names.has(word))
  );
}

/** Where the signature may start: "Best regards", the owner's name, or both after each other. */
function signatureStarts(lines: readonly string[], owner: ReadonlySet<string>): number[] {
  const starts = [lines.length];
  let end = lines.length;
  const cut = (fits: (words: readonly string[]) => boolean) => {
    const words = wordsOfLine(lines[end - 1] ?? "");
    if (words.length > 0 && fits(words)) starts.push(--end);
  };
  cut((words) => words.every((word) => owner.has(word)));
  cut((words) => {
    const name = words.findIndex((word) => owner.has(word));
    const phrase = words.slice(0, name === -1 ? words.length : name);
    return (
      closings.has(phrase.join(" ")) && words.slice(phrase.length).every((word) => owner.has(word))
    );
  });
  if (end < lines.length && /^[-–—_]{1,3}$/u.test(lines[end - 1] ?? "")) starts.push(end - 1);
  return starts;
}

function wordsOfLine(line: string): string[] {
  return nameLine.test(line) ? wordsIn(line) : [];
}

const setOf = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => wordsIn(line)));

/** In the languages that Bron is tested with. */
const greetings = setOf(
  "hi hello hey dear good morning afternoon evening greetings",
  "hallo liebe lieber guten tag morgen abend sehr geehrte geehrter geehrtes moin servus",
  "bonjour bonsoir salut cher chère chers chères",
  "hola buenos buenas días tardes noches estimado estimada estimados querido querida",
  "ciao buongiorno buonasera salve gentile caro cara cari",
  "hoi dag beste geachte goedemorgen goedemiddag",
  "cześć dzień dobry witam szanowny szanowna szanowni drogi droga",
);
const addressed = setOf(
  "all everyone everybody both team together there and mr mrs ms dr",
  "alle zusammen beide und herr frau damen herren",
  "tous toutes et à monsieur madame équipe",
  "todos todas a y señor señora equipo",
  "tutti tutte a e signor signora",
  "allemaal iedereen en meneer mevrouw",
  "wszyscy wszystkim państwo i pan pani",
);
const closings: ReadonlySet<string> = new Set(
  [
    "best",
    "best regards",
    "best wishes",
    "kind regards",
    "warm regards",
    "regards",
    "cheers",
    "thanks",
    "thank you",
    "many thanks",
    "sincerely",
    "yours sincerely",
    "yours",
    "see you",
    "viele grüße",
    "liebe grüße",
    "beste grüße",
    "herzliche grüße",
    "mit freundlichen grüßen",
    "freundliche grüße",
    "grüße",
    "gruß",
    "danke",
    "cordialement",
    "bien cordialement",
    "bien à vous",
    "bien à toi",
    "merci",
    "amicalement",
    "saludos",
    "un saludo",
    "saludos cordiales",
    "atentamente",
    "gracias",
    "cordiali saluti",
    "un saluto",
    "saluti",
    "grazie",
    "met vriendelijke groet",
    "vriendelijke groet",
    "groet",
    "groeten",
    "bedankt",
    "pozdrawiam",
    "z poważaniem",
    "dziękuję",
  ].map((phrase) => wordsIn(phrase).join(" ")),
);
