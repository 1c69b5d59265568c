import { quotation } from "../recipe/quotes.ts";
import { after, type SlotReader } from "../recipe/slot.ts";
import type { Text } from "../recipe/text.ts";
import { sentencesOf } from "../words/content-words.ts";
import { createText } from "../recipe/text.ts";
import { dictation } from "../recipe/dictation.ts";
import { takePeople, takeUnwanted } from "./find-address.ts";

/** What the owner may change in a message that is written already. */
export interface EmailChange {
  /** Other recipients. */
  readonly to?: readonly string[];
  /** More recipients. */
  readonly also?: readonly string[];
  readonly cc?: readonly string[];
  readonly subject?: string;
  readonly tone?: "formal" | "friendly";
  readonly isShorter?: true;
  /** A sentence to add. */
  readonly mention?: string;
  /** Another text. */
  readonly text?: string;
  /** A line before the text. */
  readonly onTop?: string;
  /** People who are no recipients any more. */
  readonly removed?: readonly string[];
  /** Words in place of others. */
  readonly replaced?: { readonly from: string; readonly to: string };
  /** Words to leave out. */
  readonly without?: string;
  /** There is a draft from before, which stays. */
  readonly hadDraft?: true;
}

const formal = "formal(?:ly)?|professional(?:ly)?|polite(?:ly)?|business-?like";
const friendly = "informal(?:ly)?|friendly|warm|casual|nice|relaxed|personal";
const toneLead = "(?:more|too|so|bit|it|sound|sounds|very|a|an|in|to)";
const mail = "(?:e-?mail|mail|message|note|draft|tone|style|way)";
const ends = `(?= ${mail}|\\s*[,.;!?]|\\s+(?:and|please|but)\\b|\\s*$)`;
const tones = [
  ["friendly", new RegExp(`\\bless (?:${formal})|\\b(?:friendlier|warmer|nicer)\\b`)],
  ["formal", /\bpoliter\b|\bless (?:casual|informal)\b/],
  [
    "friendly",
    new RegExp(`\\b${toneLead} (?:${friendly})\\b${ends}|^\\s*(?:${friendly})\\b${ends}`),
  ],
  ["formal", new RegExp(`\\b${toneLead} (?:${formal})\\b${ends}|^\\s*(?:${formal})\\b${ends}`)],
] as const;

export const subject = after(
  new RegExp(
    `,?\\s*(?:with |and )?(?:the |a )?\\bsubject(?: line)?(?: to| should be| is)?:?\\s+(?<value>${quotation}|[^,]+?)(?=\\s*(?:,|\\s(?:and|saying|with)\\b|$|\\s{2}))`,
  ),
);
const added =
  ",?\\s*\\b(?:and )?(?:also )?(?:add|put|write|include|insert)(?: also)? (?:a|an|one|another|the) (?:line|sentence|note|remark|words?|text)";
const onTop = dictation([
  new RegExp(
    `${added} (?:on|at|to) (?:the )?(?:top|start|beginning)(?: of (?:it|the (?:e-?mail|mail|message|text)))?(?: that says| saying| that)?:?\\s+(?<value>${quotation}|.+?)\\W*$`,
    "s",
  ),
]);
const mention = dictation([
  new RegExp(
    `${added}(?: (?:at|to) (?:the )?(?:end|bottom))?(?: of (?:it|the (?:e-?mail|mail|message|text)))?(?: that says| saying| that)?:?\\s+(?<value>${quotation}|.+?)\\W*$`,
    "s",
  ),
  new RegExp(
    `,?\\s*\\b(?:and )?(?:also )?(?:mention|add|say|include|write)(?: too| also)?(?: that|:)\\s+(?<value>${quotation}|.+?)[\\s.!]*$`,
    "s",
  ),
  new RegExp(`,?\\s*\\b(?:also )?(?:add|mention)\\s+(?<value>${quotation})`),
  /,?\s*\b(?:mention|include) (?<value>(?:we|i|he|she|they|it)\b.+?)[\s.!]*$/s,
]);

const weekday = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const word = `(?:${quotation}|[^\\s,;.!?#@]+)`;
const lead = "(?:(?:on|at|in|by|the)\\s+)?";
/** "not monday, tuesday", "tuesday, not monday", "change monday to tuesday" */
const replacements = [
  `\\b(?:replace|change|swap)\\s+(?<from>${word})\\s+(?:with|by|to|into|for)\\s+(?<to>${word})(?=\\s*(?:[,.;!?]|$)|\\s+and\\b)`,
  `^\\W*(?:no\\W+)?not\\s+${lead}(?<from>${word})\\s*(?:,|\\bbut\\b)\\s*(?:but |it's |it is )?${lead}(?<to>${word})(?=\\s*(?:[,.;!?]|$))`,
  `^\\W*(?:no\\W+)?(?:it's |it is |make it )?${lead}(?<to>${word})\\s*,?\\s+not\\s+${lead}(?<from>${word})(?=\\s*(?:[,.;!?]|$))`,
].map((pattern) => new RegExp(pattern));

/** Also "no, on monday", if the text has one other weekday. */
function takeReplaced(words: Text, before: string): EmailChange["replaced"] {
  for (const pattern of replacements) {
    const { from, to } = createText(words.rest()).takeGroups(pattern) ?? {};
    const isIn = from !== undefined && (from.startsWith("\uE200") || has(before, from));
    if (!isIn || to === undefined) continue;
    words.takeGroups(pattern);
    return { from, to };
  }
  const [own, ...others] = createText(before).takeAll(new RegExp(`\\b${weekday}\\b`));
  const day = new RegExp(
    `^\\W*(?:no\\W+)?(?:(?:make it|it's|it is|rather|better)\\s+)?(?:on )?(?<value>${weekday})(?=\\s*(?:[,.;!?]|$)|\\s+(?:and|instead)\\b)(?: instead)?`,
  );
  const to = own === undefined || others.length > 0 ? undefined : words.take(day);
  return own === undefined || to === undefined ? undefined : { from: own, to };
}

const inWords = (part: string) =>
  new RegExp(`(?<![\\p{L}\\d])${part.replace(/[^\p{L}\d\s]/gu, "\\$&")}(?![\\p{L}\\d])`, "giu");

/** Whether a text has these words. */
export function has(text: string, part: string): boolean {
  return inWords(part).test(text);
}

function replaceWords(text: string, { from, to }: NonNullable<EmailChange["replaced"]>): string {
  return text.replace(inWords(from), (found) =>
    /^\p{Lu}/u.test(found) ? to.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : to,
  );
}
const without = after(
  new RegExp(
    `\\b(?:don't|do not) (?:write|say|mention|use|include)\\s+(?<value>${quotation})|\\b(?:remove|delete|without|leave out|drop)\\s+(?:the (?:words?|part|sentence) )?(?<other>${quotation})`,
  ),
);
const text = after(
  new RegExp(
    `\\b(?:say|write|post|make it|change (?:it|the text|the message) to|the text should be|it should say)\\s+(?<value>${quotation})(?:\\s+instead)?`,
  ),
);
const shorter =
  /\b(?:a (?:bit|little) )?(?:short(?:er|en)(?: it)?|brief(?:er)?|more concise|cut it down|half as long)\b/;
/** Takes everything that may be changed in a message out of the owner's words. */
export function takeEmailChange(words: Text, before = ""): EmailChange | undefined {
  const none = { conversation: undefined as never, today: "" };
  const top = onTop(words, none);
  const replaced = takeReplaced(words, before);
  const unwanted = takeUnwanted(words);
  const cc = [
    ...takePeople(words, "\\b(?:put |add |with )?(?:cc|in copy|copy)(?: also| to)?:?\\s+"),
    ...takePeople(words, "\\b(?:put|add|take)\\s+", "\\s+(?:in|on|into) (?:the )?(?:cc|copy)\\b"),
  ];
  const quoted = words.has(/\bremove|delete|without|leave out|drop|don't|do not\b/)
    ? without(words, none)
    : undefined;
  const own = {
    subject: subject(words, none),
    without: quoted?.match(new RegExp(quotation))?.[0],
    text: text(words, none),
    mention: mention(words, none),
    onTop: top,
    replaced,
    removed: unwanted.length > 0 ? unwanted : undefined,
    tone: tones.find(([, pattern]) => words.take(pattern) !== undefined)?.[0],
    isShorter: words.take(shorter) === undefined ? undefined : true,
  };
  const also = [
    ...takePeople(
      words,
      "\\b(?:also|and)\\s+(?:send (?:it )?)?(?:to\\s+)",
      "(?:\\s+(?:too|as well))?",
    ),
    ...takePeople(words, "\\b(?:also )?(?:add|include)\\s+", "(?:\\s+(?:too|as well))?"),
    ...takePeople(words, "\\b(?:and|to|send (?:it|the same) to)\\s+", "\\s+(?:too|as well)"),
  ];
  const to = [
    ...takePeople(
      words,
      "\\b(?:(?:send|mail|e-?mail|address|forward|post|write|message)(?: (?:it|this|that|them|the same))? )?(?:only )?to\\s+(?=[^#])",
      "(?:\\s+(?:instead|only))?",
    ),
    ...takePeople(words, "\\b(?:only|just)\\s+", "(?=\\s*(?:[,.;!?]|$))"),
    ...(words
      .take(/^\s*[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+\s*$/)
      ?.trim()
      .split(" ") ?? []),
  ];
  const notIn = /\bnot (?:(?:to|in|into|on) )?(?:the )?#[\w-]+/;
  const isMoved = words.has(new RegExp(`#[\\w-]+.*#[\\w-]+`)) && words.take(notIn) !== undefined;
  const channel = words.take(
    isMoved
      ? /\b(?:(?:but|use|to|in|into|on)\s+)*(?<value>#[\w-]+)(?: instead)?/
      : /\b(?:to|in|into|on) (?:the )?(?<value>#[\w-]+)(?: instead)?/,
  );
  const change = {
    ...own,
    cc: cc.length > 0 ? cc : undefined,
    also: also.length > 0 ? also : undefined,
    to: channel !== undefined ? [channel] : to.length > 0 ? to : undefined,
  };
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Reads changes in a later message. */
export const laterChanges: SlotReader<readonly EmailChange[]> = (words, { conversation }) => {
  const before = conversation.earlierMessages.findLast(({ by }) => by === "model")?.text ?? "";
  const change = takeEmailChange(words);
  const hadDraft = before.includes("Saved a draft") && { hadDraft: true as const };
  if (change === undefined)
    return hadDraft && words.has(/^\W*(?:\w+ )?send\b/) ? [hadDraft] : undefined;
  const { also = change.cc, cc: _, ...rest } = change;
  const isSent = /^(?:.+:\n)?(?:Sent|Replied|Forwarded) /.test(before);
  // "Send it to Jonas too" after it was sent means Jonas alone.
  const own = isSent && also ? { ...rest, to: also } : change;
  return [...sentBefore(before), { ...own, ...hadDraft }];
};

export const editedTextHeading = "It says:";

/** The email that left, if the owner changed its text before: the task has only the planned text. */
function sentBefore(said: string): readonly EmailChange[] {
  const title = /^Sent "(?<value>[^\n]+)" to /m.exec(said)?.groups?.["value"];
  const [, quoted] = said.split(`${editedTextHeading}\n`);
  if (title === undefined || quoted === undefined) return [];
  const lines = quoted.split("\n");
  const end = lines.findIndex((line) => !line.startsWith(">"));
  const body = (end < 0 ? lines : lines.slice(0, end)).map((line) => line.replace(/^> ?/, ""));
  return [{ subject: title, text: body.join("\n") }];
}

const greeting = /^(?:hi|hello|dear|hey)\b[^\n]{0,60}[,!]?\n+/i;
const ending =
  /\n+(?:best regards|kind regards|yours sincerely|best|cheers|thanks|regards|all the best)[,!]?[^]*$/i;

/** The text of an email after a change. */
export function revise(before: string, change: EmailChange, name: string): string {
  const all = change.text ?? before;
  const start = greeting.exec(all)?.[0] ?? "";
  const end = ending.exec(all.slice(start.length))?.[0] ?? "";
  let body = all.slice(start.length, all.length - end.length).trim();
  if (change.replaced !== undefined) body = replaceWords(body, change.replaced);
  if (change.without !== undefined) body = body.replaceAll(change.without, "").trim();
  if (change.isShorter === true) body = shorten(body);
  if (change.tone === "formal") body = withoutContractions(body);
  if (change.mention)
    body = `${asSentence(body)}${body.includes("\n") ? "\n\n" : " "}${asSentence(change.mention)}`;
  if (change.onTop) body = `${asSentence(change.onTop)}${body === "" ? "" : "\n\n"}${body}`;
  const [greet, close] =
    change.tone === "formal"
      ? [`Dear ${name || "Sir or Madam"},\n\n`, "\n\nKind regards\n"]
      : change.tone === "friendly"
        ? [`Hi ${name || "there"}!\n\n`, "\n\nAll the best\n"]
        : [start, end];
  return `${greet}${body}${close}`;
}

/** A message in a chat has no greeting of its own line, and no ending. */
export function reviseMessage(before: string, change: EmailChange): string {
  const { tone, ...rest } = change;
  const own = revise(before, rest, "");
  if (tone === "friendly") return `Hi! ${asSentence(own)}`;
  return tone === "formal" ? asSentence(withoutContractions(own)) : own;
}

/** The first sentence, or the first lines of a list. */
export function shorten(body: string): string {
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

function withoutContractions(words: string): string {
  return contractions.reduce((all, [short, long]) => all.replace(short, long), words);
}

function asSentence(words: string): string {
  const upper = words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return words === "" || /[.!?:]$/.test(words) || words.includes("\n") ? upper : `${upper}.`;
}

const indirect = /\b(?:tell|ask|remind) (?:him|her|them) (?:that |to |if |whether )?/i;

/** "tell him we can wait and ask her to call" is what the sender says to the writer of a message. */
export function asMessage(words: string): string {
  if (!indirect.test(words)) return words;
  return words
    .split(/[,;.]?\s+(?:and |then )?(?=(?:tell|ask|remind) (?:him|her|them)\b)/i)
    .map((part) => {
      const [lead = ""] = indirect.exec(part) ?? [];
      const own = part.startsWith(lead) ? part.slice(lead.length) : part;
      if (/ to $/i.test(lead)) return asSentence(`please ${own}`);
      return / (?:if|whether) $/i.test(lead)
        ? asSentence(`please let me know if ${own}`)
        : asSentence(own);
    })
    .join(" ");
}
