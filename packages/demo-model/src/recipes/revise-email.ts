import { quotation } from "../recipe/quotes.ts";
import { after, flag, type SlotReader } from "../recipe/slot.ts";
import { sentencesOf } from "../words/content-words.ts";

/** What the owner may change in an email that is written already. */
export interface EmailChange {
  tone?: "formal" | "friendly" | undefined;
  isShorter?: boolean | undefined;
  /** A sentence to add. */
  mention?: string | undefined;
  /** Recipients besides those before. */
  also?: readonly string[] | undefined;
}

const formal = "formal(?:ly)?|professional(?:ly)?|polite(?:ly)?|business-?like";
const friendly = "informal(?:ly)?|friendly|warm|casual|nice|relaxed";
const lead = "(?:more|too|so|bit|it|sound|sounds|very|a|an|in)";
const mail = "(?:e-?mail|mail|message|note|draft|tone|style|way)";
const tones = [
  ["friendly", new RegExp(`\\bless (?:${formal})|\\b(?:friendlier|warmer|nicer)\\b`)],
  ["formal", /\bpoliter\b|\bless (?:casual|informal)\b/],
  [
    "friendly",
    new RegExp(`\\b${lead} (?:${friendly})\\b(?= ${mail}|[\\s.,!?]*(?:please)?[.!\\s]*$)`),
  ],
  ["formal", new RegExp(`\\b${lead} (?:${formal})\\b(?= ${mail}|[\\s.,!?]*(?:please)?[.!\\s]*$)`)],
] as const;

const tone: SlotReader<"formal" | "friendly"> = (text) =>
  tones.find(([, pattern]) => text.take(pattern) !== undefined)?.[0];

const address = "[a-z0-9._%+-]+@[a-z0-9-]+(?:\\.[a-z0-9-]+)+";

export const emailChanges = {
  mention: after(
    new RegExp(
      `,?\\s*\\b(?:and )?(?:also )?(?:mention|add|say|include|write)(?: too| also)?(?: that|:)\\s+(?<value>${quotation}|.+?)[\\s.!]*$`,
      "s",
    ),
    /,?\s*\b(?:mention|include) (?<value>(?:we|i|he|she|they|it)\b.+?)[\s.!]*$/s,
  ),
  tone,
  isShorter: flag(/\b(?:short(?:er|en)|brief(?:er)?|more concise|cut it down|half as long)\b/),
  also: ((text) =>
    text.takeAll(
      new RegExp(
        `\\b(?:also|add|include)\\s+(?:send (?:it )?)?(?:to\\s+)?(?<value>${address})|\\band\\s+(?:to\\s+)?(?<more>${address})\\s+(?:too|as well)`,
      ),
    )) as SlotReader<readonly string[]>,
};

const greeting = /^(?:hi|hello|dear|hey)\b[^\n]{0,60}[,!]?\n+/i;
const ending =
  /\n+(?:best regards|kind regards|yours sincerely|best|cheers|thanks|regards)[,!]?[^]*$/i;

/** The text of an email after a change. */
export function revise(text: string, change: EmailChange, name: string): string {
  const start = greeting.exec(text)?.[0] ?? "";
  const end = ending.exec(text.slice(start.length))?.[0] ?? "";
  let body = text.slice(start.length, text.length - end.length).trim();
  if (change.isShorter === true) body = shorten(body);
  if (change.tone === "formal") body = withoutContractions(body);
  if (change.mention)
    body = `${asSentence(body)}${body.includes("\n") ? "\n\n" : " "}${asSentence(change.mention)}`;
  const [greet, close] =
    change.tone === "formal"
      ? [`Dear ${name || "Sir or Madam"},\n\n`, "\n\nKind regards\n"]
      : change.tone === "friendly"
        ? [`Hi ${name || "there"}!\n\n`, "\n\nAll the best\n"]
        : [start, end];
  return `${greet}${body}${close}`;
}

/** The first sentence, or the first lines of a list. */
function shorten(body: string): string {
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 3) return lines.slice(0, 3).join("\n");
  return sentencesOf(body)[0] ?? body;
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\bcan['’]t\b/gi, "cannot"],
  [/\bwon['’]t\b/gi, "will not"],
  [/\bI['’]m\b/gi, "I am"],
  [/n['’]t\b/gi, " not"],
  [/['’]re\b/gi, " are"],
  [/['’]ve\b/gi, " have"],
  [/['’]ll\b/gi, " will"],
];

function withoutContractions(text: string): string {
  return contractions.reduce((words, [short, long]) => words.replace(short, long), text);
}

function asSentence(text: string): string {
  const upper = text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return text === "" || /[.!?:]$/.test(text) || text.includes("\n") ? upper : `${upper}.`;
}
