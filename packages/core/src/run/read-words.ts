import { parseReading, type Reading } from "../intent/parse-reading.ts";
import { readableWords } from "../intent/readable-words.ts";
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
  return { ...readingRequest(words), purpose: purposeFor(texts) };
}

/** Words are only added, so their number names the set. */
function purposeFor(texts: readonly OwnerText[]): string {
  return `${readingPurpose} ${texts.length}`;
}
