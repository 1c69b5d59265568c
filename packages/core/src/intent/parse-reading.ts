import type { EffectKind } from "./effect-kinds.ts";
import { isOwnerPronoun } from "./owner-pronouns.ts";
import type { ReadableText, ReadableWords } from "./readable-words.ts";
import {
  readingSchema,
  type ChangedField,
  type personMeanings,
  type RawMention,
  type RawReading,
  type ThingKind,
} from "./reading-schema.ts";
import type { Slot } from "./slots.ts";

/** What the owner's words ask for and forbid. Each entry was found in the words. */
export interface Reading {
  readonly asks: readonly Ask[];
  readonly prohibitions: readonly Prohibition[];
}

/** A request of the owner for an effect. */
export interface Ask {
  /** Where its words are, and its kind. */
  readonly key: string;
  /** The number of its text. A later text can lift what an earlier one forbids. */
  readonly order: number;
  readonly effect: EffectKind;
  readonly words: string;
  readonly times: "once" | "each";
  readonly people: readonly PersonMention[];
  readonly things: readonly ThingMention[];
  readonly fields: readonly ChangedField[];
  /** Texts that the owner dictated word for word. */
  readonly dictated: readonly string[];
}

export interface Prohibition {
  /** The number of its text, or the last one if it is a quotation. */
  readonly order: number;
  readonly effect: EffectKind | "any";
  readonly words: string;
  readonly people: readonly PersonMention[];
  readonly things: readonly ThingMention[];
}

export interface PersonMention {
  /** As the owner wrote it. */
  readonly words: string;
  readonly means: (typeof personMeanings)[number];
}

export interface ThingMention {
  readonly words: string;
  readonly kind: ThingKind;
}

export const emptyReading: Reading = { asks: [], prohibitions: [] };

/**
 * Believes of a model's output only what is in the words exactly. Undefined if the output has
 * another form.
 */
export function parseReading(output: unknown, words: ReadableWords): Reading | undefined {
  const parsed = readingSchema.safeParse(output);
  if (!parsed.success) return undefined;
  const { asks, prohibitions } = parsed.data;
  return {
    asks: withKeys(asks.flatMap((ask) => findAsk(ask, words))),
    prohibitions: prohibitions.flatMap((prohibition) => findProhibition(prohibition, words)),
  };
}

/**
 * Words can ask for several effects in one place ("email Eva and Tom"), so requests in the same place
 * are numbered. The same request twice is one, and so is one for "each of them" with one for some of
 * them.
 */
function withKeys(asks: readonly Ask[]): Ask[] {
  const distinct = new Map(asks.map((ask) => [JSON.stringify(ask), ask]));
  const own = [...distinct.values()].filter((ask) => !asks.some((one) => isInEach(ask, one)));
  const counts = new Map<string, number>();
  return own.map((ask) => {
    const count = (counts.get(ask.key) ?? 0) + 1;
    counts.set(ask.key, count);
    return count === 1 ? ask : { ...ask, key: `${ask.key}:${count}` };
  });
}

/** Whether a request for each target, in the same words, has all targets of this one. */
function isInEach(ask: Ask, each: Ask): boolean {
  if (each.times !== "each" || each.key !== ask.key) return false;
  const targetsOf = ({ people, things }: Ask) =>
    new Set([...people, ...things].map((target) => JSON.stringify(target)));
  const [targets, all] = [targetsOf(ask), targetsOf(each)];
  const isNarrower = ask.times === "once" || targets.size < all.size;
  return targets.size > 0 && isNarrower && [...targets].every((target) => all.has(target));
}

function findAsk(raw: RawReading["asks"][number], words: ReadableWords): Ask[] {
  const asking = find(raw.words, words);
  // A quotation asks for nothing, and neither do words of an earlier task.
  if (!asking?.at || asking.at.text.when === "earlier") return [];
  const { effect, times, fields } = raw;
  const { text, start, end } = asking.at;
  return [
    {
      key: `${text.name}:${start}-${end}:${effect}`,
      order: words.texts.indexOf(text),
      effect,
      words: asking.value,
      times,
      people: raw.people.flatMap((person) => findPerson(person, words)),
      things: raw.things.flatMap((thing) => findThing(thing, words)),
      fields,
      dictated: raw.dictated.flatMap((mention) => findDictated(mention, words)),
    },
  ];
}

/**
 * A prohibition whose people cannot be found would be lost, so it then covers everyone: it keeps
 * its words, and has no people and no things.
 */
function findProhibition(
  raw: RawReading["prohibitions"][number],
  words: ReadableWords,
): Prohibition[] {
  const forbidding = find(raw.words, words);
  if (!forbidding) return [];
  const { effect } = raw;
  const order = forbidding.at ? words.texts.indexOf(forbidding.at.text) : words.texts.length;
  return [
    {
      order,
      effect,
      words: forbidding.value,
      people: raw.people.flatMap((person) => findPerson(person, words)),
      things: raw.things.flatMap((thing) => findThing(thing, words)),
    },
  ];
}

function findPerson(
  { mention, means }: RawReading["asks"][number]["people"][number],
  words: ReadableWords,
): PersonMention[] {
  const found = find(mention, words);
  if (!found) return [];
  // A quoted person is one only if the quotation is an address. A quoted name could be anyone's.
  if (found.slot && found.slot.kind !== "address") return [];
  if (means === "owner" && !isOwnerPronoun(found.value)) return [];
  return [{ words: found.value, means }];
}

/** A text is dictated if it is quoted, or if it follows a colon: "Write the following: …" */
function findDictated(mention: RawMention, words: ReadableWords): string[] {
  const found = find(mention, words);
  const isDictated =
    found?.slot !== undefined ||
    /[:：]\s*$/u.test(found?.at?.text.text.slice(0, found.at.start) ?? "");
  return found && isDictated ? [found.value] : [];
}

const slotKinds: Readonly<Record<ThingMention["kind"], readonly Slot["kind"][]>> = {
  mail: ["text"],
  draft: ["text"],
  event: ["text"],
  note: ["text", "file"],
  channel: ["text"],
  file: ["file", "text"],
  url: ["url"],
};

function findThing(
  { mention, kind }: RawReading["asks"][number]["things"][number],
  words: ReadableWords,
): ThingMention[] {
  const found = find(mention, words);
  if (!found || (found.slot && !slotKinds[kind].includes(found.slot.kind))) return [];
  return [{ words: found.value, kind }];
}

interface Found {
  readonly value: string;
  /** Where in the words it is. Undefined for a quotation. */
  readonly at?: { readonly text: ReadableText; readonly start: number; readonly end: number };
  readonly slot?: Slot;
}

function find(mention: RawMention, { texts, slots }: ReadableWords): Found | undefined {
  if ("slot" in mention) {
    const slot = slots.get(mention.slot);
    return slot && { value: slot.value, slot };
  }
  const text = texts.find(({ name }) => name === mention.text);
  const start = text ? indexOfWords(text.text, mention.words) : -1;
  return text && start !== -1
    ? { value: mention.words, at: { text, start, end: start + mention.words.length } }
    : undefined;
}

/**
 * Finds whole words only: "will" is not in "William", and "jonas" is not in "jonas@a.example". Returns
 * -1 if they are not there.
 */
function indexOfWords(text: string, words: string): number {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1))
    if (isStart(text, at, words) && isBoundary(text, at + words.length)) return at;
  return -1;
}

/** French writes pronouns after a hyphen: "Envoie-moi", "Réponds-lui". */
const pronounAfterHyphen = /^(?:moi|lui|leur|nous|eux|elles?)$/iu;

function isStart(text: string, at: number, words: string): boolean {
  const isPronoun =
    pronounAfterHyphen.test(words) && /\p{L}-$/u.test(text.slice(Math.max(0, at - 2), at));
  return isPronoun || isBoundary(text, at);
}

/** Whether words can start or end here: not inside of a word, address, host or URL. */
function isBoundary(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at, at + 2);
  if (/[\p{L}\p{N}\p{M}_]$/u.test(before) && /^[\p{L}\p{N}\p{M}_]/u.test(after)) return false;
  // A dot at the end of a sentence is followed by a space, a dot of a host is not.
  return !(
    (/[\p{L}\p{N}]$/u.test(before) && /^[@.:/+-][\p{L}\p{N}/]/u.test(after)) ||
    (/[\p{L}\p{N}/][@.:/+-]$/u.test(before) && /^[\p{L}\p{N}/]/u.test(after))
  );
}
