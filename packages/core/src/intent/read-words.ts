import type { JsonValue, NewEvent } from "@bron/protocol";
import { cleanText } from "../context/clean-text.ts";
import { parseReading, type Ask, type Prohibition, type Reading } from "./parse-reading.ts";
import { readableWords, type ReadableWords } from "./readable-words.ts";
import { readingPurpose, readingRequest } from "./reading-request.ts";
import type { OwnerText } from "./owner-text.ts";
import type { AuxiliaryRequest } from "../model/auxiliary-request.ts";
import type { Readings } from "../ports/runs/ask-uses.ts";
import { askModel } from "../auxiliary-call/auxiliary-call.ts";
import type { MoveBuilder } from "../run/decide/move-builder.ts";
import type { RunState } from "../run/state/run-state.ts";

/**
 * The owner's words are read once for each set of words, before the first effect that they may ask
 * for. Returns false as long as the reading is under way. A child run uses what the runs above it
 * have read.
 */
export function hasReadWords(builder: MoveBuilder): boolean {
  const { facts, draft } = builder;
  const texts = facts.ownerTexts(draft.state());
  if (facts.readingsAbove().has(texts.length)) return true;
  const request = requestFor(texts);
  return request === undefined || askModel(builder, request) !== undefined;
}

/** What models have read in the words so far, in this run. */
export function readingsIn({ auxiliaryCalls }: Pick<RunState, "auxiliaryCalls">): Readings {
  const readings = new Map<number, JsonValue>();
  for (const [purpose, { result }] of auxiliaryCalls)
    if (purpose.startsWith(`${readingPurpose} `) && result?.output !== undefined)
      readings.set(Number(purpose.slice(readingPurpose.length + 1)), result.output);
  return readings;
}

/**
 * What the words ask for and forbid. Each text is read for requests once: a later reading adds those
 * of the texts that came since, so that a request keeps its key.
 */
export function readingOf(texts: readonly OwnerText[], readings: Readings): Reading | "unread" {
  // A program's task, or one that was pasted, has no words that a model could read.
  if (readableWords(texts).texts.length === 0) return { asks: [], prohibitions: [] };
  const asks: Ask[] = [];
  const prohibitions: Prohibition[] = [];
  let textsRead = 0;
  for (const [count, output] of [...readings].toSorted(([one], [other]) => one - other)) {
    if (count > texts.length) continue;
    const words = readableWords(texts.slice(0, count));
    const reading = parseReading(output, words);
    if (!reading && count === texts.length) return "unread";
    if (!reading) continue;
    const isNew = ({ order }: Ask) => order >= textsRead;
    asks.push(...reading.asks.filter(isNew));
    prohibitions.push(...reading.prohibitions);
    textsRead = words.texts.length;
  }
  return readings.has(texts.length) ? { asks, prohibitions } : "unread";
}

function requestFor(texts: readonly OwnerText[]): AuxiliaryRequest | undefined {
  const words = readableWords(texts);
  if (words.texts.length === 0) return undefined;
  return {
    ...readingRequest(words),
    purpose: purposeFor(texts),
    describe: (output, callId) => [describeReading(output, { words, callId })],
  };
}

/** Tells the owner what their words ask for, as they will be compared with effects. */
function describeReading(
  output: JsonValue | undefined,
  { words, callId }: { readonly words: ReadableWords; readonly callId: string },
): NewEvent {
  const reading = parseReading(output, words);
  if (!reading) return { type: "intent", payload: { state: "unread", callId } };
  return {
    type: "intent",
    payload: {
      state: "read",
      callId,
      asks: reading.asks.map(({ key, times, ...ask }) => ({ key, times, ...inWords(ask) })),
      prohibitions: reading.prohibitions.map(inWords),
    },
  };
}

function inWords<K extends string>({
  effect,
  words,
  people,
  things,
}: Pick<Ask, "words" | "people" | "things"> & { readonly effect: K }) {
  return {
    kind: effect,
    words: cleanText(words),
    people: people.map((person) => cleanText(person.words)),
    things: things.map((thing) => cleanText(thing.words)),
  };
}

/** Words are only added, so their number names the set. */
function purposeFor(texts: readonly OwnerText[]): string {
  return `${readingPurpose} ${texts.length}`;
}
