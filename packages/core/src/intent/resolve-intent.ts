import type { EffectFacts } from "../policy/effect-facts.ts";
import { addressesIn, normalizeAddress } from "../policy/text/names.ts";
import { normalizeUrl } from "../policy/text/normalize-url.ts";
import { isAskedBy, isForbiddenBy, type EffectKind } from "./effect-kinds.ts";
import { readFileMention, wordsBesideName } from "./file-mention.ts";
import type { FindMention, PersonQuery } from "./find-mention.ts";
import { onlyFile, type FindFiles, type FoundFile, type MentionedFile } from "./found-file.ts";
import { createContactNames, type ContactNames } from "./contact-names.ts";
import { thingKey, type Intent, type ResolvedAsk, type ResolvedProhibition } from "./intent.ts";
import type { Ask, PersonMention, Prohibition, Reading, ThingMention } from "./parse-reading.ts";

export interface ResolveInput {
  readonly effect: EffectKind;
  readonly facts: Pick<EffectFacts, "account">;
  readonly find: FindMention;
  readonly findFiles: FindFiles;
  /** Files that the owner uploaded for the task: their names, by digest. */
  readonly uploads: ReadonlyMap<string, string>;
  /** The owner's trusted contacts, by normalized address, with what the owner calls them. */
  readonly contacts: ReadonlyMap<string, string>;
  /** See `Intent`, like `crossedOut`. */
  readonly used: ReadonlySet<string>;
  readonly crossedOut: ReadonlySet<string>;
}

type Resolving = Omit<ResolveInput, "contacts"> & ContactNames;

/** Looks up whom and what the words mean, as far as an effect of this kind may need it. */
export async function resolveIntent(
  reading: Reading,
  { contacts, ...given }: ResolveInput,
): Promise<Intent> {
  const { effect, used, crossedOut } = given;
  const input: Resolving = { ...given, ...createContactNames(contacts) };
  const asks = reading.asks.filter((ask) => isAskedBy(effect, ask.effect));
  const prohibitions = reading.prohibitions.filter(
    (prohibition) =>
      isForbiddenBy(effect, prohibition.effect) || prohibition.effect === "open_page",
  );
  return {
    effect,
    asks: await Promise.all(asks.map((ask) => resolveAsk(ask, input))),
    prohibitions: await Promise.all(
      prohibitions.map(async (prohibition) =>
        isForbiddenBy(effect, prohibition.effect)
          ? await resolveProhibition(prohibition, input)
          : ofLinks(prohibition),
      ),
    ),
    used,
    crossedOut,
  };
}

async function resolveAsk(ask: Ask, input: Resolving): Promise<ResolvedAsk> {
  const near = mentionedBeside(ask.things);
  const [people, things, files] = await Promise.all([
    Promise.all(ask.people.map((person) => findPeople({ ...person, ...near }, input))),
    Promise.all(ask.things.map((thing) => findThings(thing, input))),
    findFilesOf(ask.things, input),
  ]);
  const named = new Set(
    people.flatMap((found, index) => (isGroup(ask.people[index]) ? [] : onlyOne(found))),
  );
  const inGroups = people.flatMap((found, index) => (isGroup(ask.people[index]) ? found : []));
  return {
    ...ask,
    people: new Set([...named, ...inGroups]),
    isAboutDraft: ask.things.some(({ kind }) => kind === "draft"),
    names: ask.people.map(({ words }) => words),
    byReference: new Set(inGroups.filter((address) => !named.has(address))),
    things: new Set([
      ...things.flatMap(onlyOne),
      ...files.flatMap(({ found }) => {
        const digest = onlyFile(found);
        return digest === undefined ? [] : [thingKey("file", digest)];
      }),
    ]),
    ...(files.length === 0 ? {} : { files }),
  };
}

/** "Everyone" and "the same people" mean several people. */
function isGroup(person: PersonMention | undefined): boolean {
  return person?.means === "everyone" || person?.means === "same_people";
}

/** A mention that could mean two people means none of them, so the owner is asked. */
function onlyOne(found: readonly string[]): readonly string[] {
  const distinct = [...new Set(found)];
  return distinct.length === 1 ? distinct : [];
}

async function resolveProhibition(
  { order, effect, words, people, things }: Prohibition,
  input: Resolving,
): Promise<ResolvedProhibition> {
  const near = mentionedBeside(things);
  const [found, foundThings, files] = await Promise.all([
    Promise.all(people.map((person) => findPeople({ ...person, ...near }, input))),
    Promise.all(things.map((thing) => findThings(thing, input))),
    findFilesOf(things, input),
  ]);
  return {
    order,
    effect,
    words,
    content: contentOf({ people, things }),
    hasUnknownPeople: found.some((one) => one.length === 0),
    hasUnknownPages: things.some(
      ({ kind }, index) => kind === "url" && foundThings[index]?.length === 0,
    ),
    people: new Set(found.flat()),
    names: people.map((person) => person.words),
    things: new Set([
      ...foundThings.flat(),
      ...files.flatMap((file) => file.found.map(({ digest }) => thingKey("file", digest))),
    ]),
    isGeneral: people.length === 0 && things.length === 0,
  };
}

const emptyProhibition = {
  people: new Set<string>(),
  names: [],
  things: new Set<string>(),
  hasUnknownPeople: false,
  hasUnknownPages: false,
  isGeneral: false,
};

/** A page that must not be opened must not be linked to either. */
function ofLinks({ order, effect, words, things }: Prohibition): ResolvedProhibition {
  const content = contentOf({ people: [], things });
  return { ...emptyProhibition, order, effect, words, content };
}

function contentOf({ people, things }: Pick<Prohibition, "people" | "things">): string {
  return [...people, ...things].map(({ words }) => words).join("\n");
}

function mentionedBeside(things: readonly ThingMention[]): Pick<PersonQuery, "mails" | "events"> {
  const wordsOf = (wanted: ThingMention["kind"]) =>
    things.flatMap(({ kind, words }) => (kind === wanted ? [words] : []));
  return { mails: wordsOf("mail"), events: wordsOf("event") };
}

async function findPeople(
  person: PersonQuery,
  { facts, find, contactsCalled }: Resolving,
): Promise<readonly string[]> {
  if (person.means === "owner")
    return facts.account === "" ? [] : [normalizeAddress(facts.account)];
  const address = addressOf(person.words);
  if (address !== undefined) return [address];
  const named = person.means === "person" ? contactsCalled(person.words) : [];
  return [...named, ...(await find(person)).map(normalizeAddress)];
}

/** The address, if the mention is nothing else. */
function addressOf(words: string): string | undefined {
  const [address, ...others] = addressesIn(words);
  const isAll = others.length === 0 && !/\s/.test(words.trim());
  return isAll ? address : undefined;
}

async function findThings(thing: ThingMention, { find }: Resolving): Promise<readonly string[]> {
  if (thing.kind === "url") {
    const url = normalizeUrl(thing.words);
    return url === undefined ? [] : [thingKey("url", url)];
  }
  if (thing.kind === "file") return [];
  return (await find(thing)).map((id) => thingKey(thing.kind, id));
}

async function findFilesOf(
  things: readonly ThingMention[],
  { findFiles, uploads, isContact, contactsCalled }: Resolving,
): Promise<MentionedFile[]> {
  return await Promise.all(
    things
      .filter(({ kind }) => kind === "file")
      .map(async ({ words }) => ({
        words,
        found: [
          ...uploadsCalled(words, uploads),
          ...(await findFiles({ words, isContact, contactsCalled })),
        ],
      })),
  );
}

/** An upload is the owner's. A sender who is named sent another file. */
function uploadsCalled(words: string, uploads: ResolveInput["uploads"]): FoundFile[] {
  const mention = readFileMention(words);
  return [...uploads].flatMap(([digest, filename]) =>
    wordsBesideName(mention, filename)?.length === 0
      ? [{ digest, filename, from: "you", isTrusted: true }]
      : [],
  );
}
