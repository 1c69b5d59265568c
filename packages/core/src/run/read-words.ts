import type { JsonValue, LogLine } from "@bron/protocol";
import { cleanText } from "../context/clean-text.ts";
import { parseReading, type Reading } from "../intent/parse-reading.ts";
import { readableWords, type ReadableWords } from "../intent/readable-words.ts";
import { readingPurpose, readingRequest } from "../intent/reading-request.ts";
import type { OwnerText } from "../intent/owner-text.ts";
import type { AuxiliaryRequest } from "../model/auxiliary-request.ts";
import { askModel } from "./auxiliary-call.ts";
import type { MoveBuilder } from "./move-builder.ts";
import type { RunState } from "./run-state.ts";

/**
 * The owner's words are read once for each set of words, before the first effect that they may ask
 * for. Returns false as long as the reading is under way.
 */
export function hasReadWords(builder: MoveBuilder): boolean {
  const request = requestFor(builder.facts.ownerTexts(builder.draft.state()));
  return request === undefined || askModel(builder, request) !== undefined;
}

/** What a model read in the words. Without words there is nothing to ask for. */
export function readingOf(
  { auxiliaryCalls }: Pick<RunState, "auxiliaryCalls">,
  texts: readonly OwnerText[],
): Reading | "unread" {
  const words = readableWords(texts);
  const result = auxiliaryCalls.get(purposeFor(texts))?.result;
  if (!result || result.error) return "unread";
  return parseReading(result.output, words) ?? "unread";
}

function requestFor(texts: readonly OwnerText[]): AuxiliaryRequest | undefined {
  const words = readableWords(texts);
  if (words.texts.length === 0) return undefined;
  return {
    ...readingRequest(words),
    purpose: purposeFor(texts),
    describe: (output) => [describeReading(output, words)],
  };
}

/** Tells the owner what their words ask for, as they will be compared with effects. */
function describeReading(output: JsonValue | undefined, words: ReadableWords): LogLine {
  const reading = parseReading(output, words);
  if (!reading) return { level: "warn", kind: "words_not_read" };
  return {
    level: "info",
    kind: "asked_for",
    asks: reading.asks.map(({ effect, people, things }) => ({
      kind: effect,
      people: people.map((person) => cleanText(person.words)),
      things: things.map((thing) => cleanText(thing.words)),
    })),
  };
}

/** Words are only added, so their number names the set. */
function purposeFor(texts: readonly OwnerText[]): string {
  return `${readingPurpose} ${texts.length}`;
}
