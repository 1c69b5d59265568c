import { splitClauses } from "./clauses.ts";
import { timeIn, leftOver } from "./left-over.ts";
import { quotation } from "./quotes.ts";
import type { SlotReader } from "./slot.ts";
import {
  closingWords,
  commandWords,
  modifierWords,
  readerWords,
  relativeTimes,
  settingWords,
  subjectWords,
  timedWords,
  verbWords,
} from "../recipes/word-lists.ts";

const starts = (words: string) => new RegExp(`^\\s*(?:${words})(?![\\p{L}\\d])`, "iu");
const quotedStart = new RegExp(`^${quotation}`);
const polite = starts(
  "(?:and|then|also|please|but)\\s+(?:then |also )?please|please|then|also|and|but",
);
const command = starts(commandWords);
/** "Send me the report" asks the reader for something, and "remind me tomorrow" asks Bron. */
const toReader = starts(readerWords);
/** "and ben that gate 2 is closed" */
const otherReader =
  /^(?!(?:so|now|and|all|is|was|given|in case|provided|hope|sure|glad|sorry|know)\b)\p{L}+ that\s/iu;
const setting = starts(settingWords);
const modifier = starts(modifierWords);
const subject = starts(subjectWords);
const closing = starts(closingWords);
const verb = new RegExp(
  `(?<![\\p{L}])(?:${verbWords})(?![\\p{L}])|n't\\b|'(?:s|re|m|ll|ve)\\b`,
  "iu",
);
/** What the sender does with the message, and when, is no part of it. */
const adjunct = new RegExp(
  `[,;]?\\s+(?:(?:and |but )?(?:also )?(?:b?cc\\b|put \\S+ in (?:cc|copy)|with [^,.]+ in (?:cc|copy)\\b|(?:with )?(?:the )?subject\\b)|to (?:everyone|everybody|all|(?:the|my|our) (?:whole |entire )?team)\\W*$|(?:${relativeTimes})\\W*$)`,
  "iu",
);
const timed = new RegExp(`(?<![\\p{L}])(?:${timedWords})(?![\\p{L}])`, "iu");
const relative = starts(`[,;]?\\s+(?:${relativeTimes})`);

/** The start of a text that is clearly dictated: up to the next wish, copy or delay. */
function ownPart(words: string): string {
  const quoted = quotedStart.exec(words)?.[0];
  if (quoted !== undefined) return quoted;
  let end = 0;
  for (const { separator, words: piece } of splitClauses(words)) {
    if (end > 0 && !isText(piece, separator)) break;
    const at = end + separator.length;
    const cut = adjunctAt(words.slice(end === 0 ? 0 : end, at + piece.length));
    if (cut !== undefined) return words.slice(0, end + cut);
    end = at + piece.length;
  }
  return words.slice(0, end);
}

function adjunctAt(piece: string): number | undefined {
  const found = adjunct.exec(piece);
  if (found === null || found.index === 0) return undefined;
  const before = piece.slice(0, found.index);
  const isContent =
    relative.test(found[0]) && !found[0].startsWith(",") && timed.test(before.slice(-24));
  return isContent ? undefined : found.index;
}

/** Whether a clause starts with a verb that asks for something. */
export function isCommand(clause: string): boolean {
  return command.test(clause) && !setting.test(clause);
}

export function isStatement(clause: string): boolean {
  return subject.test(clause);
}

/** Whether words only change how or when something is done. */
export function isModifier(words: string): boolean {
  return modifier.test(words) || setting.test(words);
}

/** Whether a clause goes on with a dictated text. */
function isText(clause: string, separator: string): boolean {
  const words = clause.trim();
  if (words === "") return true;
  const bare = words.replace(polite, "").trim();
  if (setting.test(bare)) return false;
  if (/^(?:ask|tell|remind) (?:him|her|them)\b/i.test(bare)) return true;
  if (toReader.test(bare)) return true;
  if (command.test(bare)) return false;
  if (otherReader.test(bare)) return false;
  if (/[.?!\n]/.test(separator)) return true;
  if (closing.test(bare) || subject.test(bare)) return true;
  if (modifier.test(bare)) return leftOver(bare, []).length === 0 && timeIn(bare) === undefined;
  return verb.test(bare) || !/\s/.test(bare);
}

/**
 * Reads a dictated text: the first match of the patterns, up to the next wish. What
 * follows stays in the request, for other readers. `shape` makes the message of it.
 */
export function dictation(
  patterns: readonly RegExp[],
  shape: (words: string) => string = (words) => words,
): SlotReader<string> {
  const read: SlotReader<string> = (text) => {
    for (const pattern of patterns) {
      const value = text.take(pattern, ownPart)?.trim();
      if (value !== undefined && value !== "") return shape(value);
    }
    return undefined;
  };
  return Object.assign(read, { isDictation: true } as const);
}
