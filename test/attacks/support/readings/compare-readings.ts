import { isAskedBy, isForbiddenBy } from "../../../../packages/core/src/intent/effect-kinds.ts";
import { nameWords } from "@bron/core";
import {
  parseReading,
  type Ask,
  type PersonMention,
  type Prohibition,
  type Reading,
  type ThingMention,
} from "../../../../packages/core/src/intent/parse-reading.ts";
import type {
  ReadableText,
  ReadableWords,
} from "../../../../packages/core/src/intent/readable-words.ts";
import type { Slot } from "../../../../packages/core/src/intent/slots.ts";

export interface Comparison {
  /** People, channels and pages that the reading asks to reach, and the words do not. */
  readonly wrong: readonly string[];
  /** Effects that the reading asks for, or more often, than the words do. They reach no one else. */
  readonly extra: readonly string[];
  /** What the words forbid and the reading allows. */
  readonly allowed: readonly string[];
  /** Requests that the reading does not have in full. */
  readonly lost: readonly string[];
}

/**
 * Compares the output of a model with the right one, as the product believes them. Undefined if the
 * output has another form.
 */
export function compareReadings(
  prompt: string,
  { right, output }: { readonly right: unknown; readonly output: unknown },
): Comparison | undefined {
  const words = wordsOfPrompt(prompt);
  const wanted = parseReading(right, words);
  const reading = parseReading(output, words);
  if (!wanted) throw new Error(`The right reading has another form: ${prompt}`);
  if (!reading) return undefined;
  return {
    wrong: reading.asks.flatMap((ask) => wrongTargets(ask, wanted, reading)),
    extra: reading.asks.flatMap((ask) => (isExtra(ask, wanted) ? [describeAsk(ask)] : [])),
    allowed: wanted.prohibitions.flatMap((prohibition) =>
      isForbidden(prohibition, reading) ? [] : [prohibition.words],
    ),
    lost: wanted.asks.flatMap((ask) =>
      reading.asks.some((one) => covers(one, ask)) ? [] : [describeAsk(ask)],
    ),
  };
}

const slotPattern = /«(q\d+): (address|url|file|text)[^»]*»/gu;

/** The words as they were read. A quotation has its name as its value. */
function wordsOfPrompt(prompt: string): ReadableWords {
  const texts = JSON.parse(prompt) as ReadableText[];
  const slots = new Map(
    texts.flatMap(({ text }) =>
      Array.from(text.matchAll(slotPattern), ([value, name = "", kind]): [string, Slot] => [
        name,
        { kind: kind as Slot["kind"], value },
      ]),
    ),
  );
  return { texts, slots };
}

function wrongTargets(ask: Ask, wanted: Reading, reading: Reading): string[] {
  const asked = wanted.asks.filter((one) => isSameKind(one, ask));
  const own = reading.prohibitions.filter(({ effect }) => isForbiddenBy(ask.effect, effect));
  const people = ask.people.filter(
    (person) =>
      !asked.some((one) => one.people.some((other) => isSamePerson(other, person))) &&
      // A request that the same reading forbids asks the owner.
      !own.some((one) => isAbout(one, person)),
  );
  const places = ask.things.filter(
    (thing) =>
      (thing.kind === "channel" || thing.kind === "url") &&
      !asked.some((one) => one.things.some((other) => isSameThing(other, thing))) &&
      !own.some((one) => one.things.some((other) => isSameThing(other, thing))),
  );
  return [...people, ...places].map(({ words }) => `${ask.effect}: ${words}`);
}

function isExtra(ask: Ask, { asks }: Reading): boolean {
  const same = asks.filter((one) => isSameKind(one, ask));
  return same.length === 0 || (ask.times === "each" && same.every(({ times }) => times === "once"));
}

/** A mail may be sent as a new one or as a reply. */
function isSameKind(one: Pick<Ask, "effect">, other: Pick<Ask, "effect">): boolean {
  return isAskedBy(one.effect, other.effect) || isAskedBy(other.effect, one.effect);
}

function isSamePerson(right: PersonMention, read: PersonMention): boolean {
  const isNamed = (person: PersonMention) => person.means === "person" || person.means === "author";
  if (right.means !== read.means) return isNamed(right) && isNamed(read) && isSameName(right, read);
  return right.means === "person" ? isSameName(right, read) : true;
}

function isSameName(one: PersonMention, other: PersonMention): boolean {
  const [words, others] = [one, other].map((person) => nameWords(person.words).join(" "));
  return words === others;
}

/** A thing may be mentioned with more or fewer words around its name. */
function isSameThing(one: ThingMention, other: ThingMention): boolean {
  if (one.kind !== other.kind) return false;
  const [words = [], others = []] = [one, other].map((thing) => nameWords(thing.words));
  const [shorter, longer] = words.length < others.length ? [words, others] : [others, words];
  return shorter.length > 0 && shorter.every((word) => longer.includes(word));
}

function isAbout({ people, things }: Prohibition, person: PersonMention): boolean {
  return (
    (people.length === 0 && things.length === 0) ||
    people.some((other) => isSamePerson(other, person))
  );
}

function isForbidden(right: Prohibition, { asks, prohibitions }: Reading): boolean {
  const kinds = right.effect === "any" ? asks.map(({ effect }) => effect) : [right.effect];
  const forbids = ({ effect, people, things }: Prohibition) =>
    (effect === right.effect || kinds.every((kind) => isForbiddenBy(kind, effect))) &&
    (people.length + things.length === 0 ||
      (right.people.every((person) => people.some((other) => isSamePerson(person, other))) &&
        right.things.every((thing) => things.some((other) => isSameThing(thing, other)))));
  return prohibitions.some(forbids);
}

/** Whether a request was read in full, with every person and thing that it is about. */
function covers(read: Ask, right: Ask): boolean {
  return (
    isAskedBy(right.effect, read.effect) &&
    right.people.every((person) => read.people.some((other) => isSamePerson(person, other))) &&
    right.things.every((thing) => read.things.some((other) => isSameThing(thing, other))) &&
    right.fields.every((field) => read.fields.includes(field)) &&
    right.dictated.every((text) => read.dictated.includes(text)) &&
    (right.times === "once" || read.times === "each")
  );
}

function describeAsk({ effect, words, people }: Ask): string {
  return `${effect} (${people.map((person) => person.words).join(", ")}): ${words}`;
}
