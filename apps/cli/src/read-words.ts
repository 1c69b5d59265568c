import { BronError } from "@bron/core";
import { maxPromptBytes } from "@bron/protocol";
import { linesOf } from "./paste-filter.ts";
import { note, type Terminal } from "./terminal.ts";

/** What the owner says, and the texts that came with it. */
export interface Said {
  readonly words: string;
  /** Not the owner's words. Absent if there are none. */
  readonly context?: string[];
}

interface ReadWordsOptions {
  /** The argument. `-`: there are no words besides standard input. Absent: the terminal asks. */
  readonly words: string | undefined;
  /** Treats piped and pasted text as the owner's own words. */
  readonly wordsFromStdin?: boolean | undefined;
  readonly question: string;
  /** What the owner says if all of it is piped in. Without it, words are necessary. */
  readonly withoutWords?: string;
}

/**
 * Reads the owner's words, and what is piped in or pasted as context beside them. Says so, because a
 * person who wrote the text would expect otherwise. Throws invalid_input without words.
 */
export async function readWords(
  terminal: Terminal,
  { words, wordsFromStdin = false, question, withoutWords = "" }: ReadWordsOptions,
): Promise<Said> {
  const { typed, others } = await readBoth(terminal, words, question);
  const texts = others.filter((text) => text.trim() !== "");
  if (wordsFromStdin) return said([typed, ...texts].filter(Boolean).join("\n"), []);
  for (const text of texts)
    note(
      terminal,
      `Treated as context, not as your words: ${linesOf(text)}. If it is your own text, use --words-from-stdin.`,
    );
  return said(typed === "" && texts.length > 0 ? withoutWords : typed, texts);
}

async function readBoth(
  terminal: Terminal,
  words: string | undefined,
  question: string,
): Promise<{ readonly typed: string; readonly others: readonly string[] }> {
  if (words === "-") return { typed: "", others: [await terminal.readInput(maxPromptBytes)] };
  if (words === undefined && terminal.canAsk) {
    const asked = await terminal.askWords(question);
    return { typed: asked.words, others: asked.pasted };
  }
  const piped = await terminal.readPiped(maxPromptBytes);
  return { typed: words ?? "", others: piped === undefined ? [] : [piped] };
}

function said(words: string, context: string[]): Said {
  if (words.trim() === "")
    throw new BronError("invalid_input", "No text was given. Pass it in quotes.");
  return { words, ...(context.length > 0 ? { context } : {}) };
}
