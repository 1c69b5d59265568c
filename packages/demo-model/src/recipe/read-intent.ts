import { noConversation, type Conversation } from "../conversation.ts";
import { isObject, type JsonObject } from "../wire.ts";
import {
  fieldsOf,
  fileName,
  forbiddenKinds,
  kinds,
  person,
  prohibition,
} from "../recipes/intent-words.ts";
import { callsOf, type Recipe } from "./recipe.ts";
import { isPresent } from "./slot.ts";
import { readMessage, understand, type Request } from "./understand.ts";

/** A text of the owner, as Bron sends it to be read. */
interface Text {
  readonly name: string;
  readonly when: "now" | "standing" | "earlier";
  readonly text: string;
}

type Mention = { readonly text: string; readonly words: string } | { readonly slot: string };

/**
 * Reads what the owner's words ask for, with the recipes: whatever a recipe would do is asked for.
 * Other words ask for nothing.
 */
export function readIntent(prompt: string, recipes: readonly Recipe[]): unknown {
  const texts = (JSON.parse(prompt) as Text[]).filter(({ when }) => when !== "standing");
  const asks: object[] = [];
  let lastAsk: RawAsk | undefined;
  let lastRequest: Request | undefined;
  for (const text of texts) {
    const { requests, isLater, last } = readRequests(text, recipes, lastRequest);
    const own = requests.flatMap((request) => asksOf(text, request));
    const read = isLater ? own.map((ask) => withMentions(ask, lastAsk)) : own;
    if (text.when === "now") asks.push(...read);
    lastRequest = last ?? lastRequest;
    lastAsk = read.findLast(({ people, things }) => people.length + things.length > 0) ?? lastAsk;
  }
  return { asks, prohibitions: texts.flatMap(prohibitionsIn) };
}

function prohibitionsIn({ name, text }: Text): object[] {
  return [...text.matchAll(prohibition)].map(([words, verb = ""]) => ({
    effect: forbiddenKinds[verb.toLowerCase()] ?? "send_mail",
    words: { text: name, words: words.trimEnd() },
    people: [...words.slice(words.indexOf(verb) + verb.length).matchAll(person)].map(
      ([found, slot]) => ({
        mention: slot === undefined ? { text: name, words: found } : { slot },
        means: "person",
      }),
    ),
    things: [],
  }));
}

/** Words that mean nothing by themselves may mean an attached file. */
function readRequests(text: Text, recipes: readonly Recipe[], last: Request | undefined) {
  const words = withStandIns(text.text);
  const context = { conversation: noConversation, today };
  const read = readMessage(words, last, recipes, context);
  const isKnown = ({ recipe }: Request) => recipe !== undefined;
  if (read.requests.every(isKnown)) return { ...read, last: read.requests.at(-1) };
  const requests = understand(words, recipes, { ...context, conversation: withFile });
  return { requests, isLater: false, last: [...requests, ...read.requests].findLast(isKnown) };
}

/** "Make it shorter" means the people, and "move it back" the event, of the words before it. */
function withMentions(ask: RawAsk, last: RawAsk | undefined): RawAsk {
  return {
    ...ask,
    people: ask.people.length > 0 ? ask.people : (last?.people ?? []),
    things: ask.things.length > 0 ? ask.things : (last?.things ?? []),
  };
}

interface RawAsk {
  readonly people: readonly { readonly mention: Mention; readonly means: string }[];
  readonly things: readonly object[];
}

function asksOf(text: Text, request: Request): RawAsk[] {
  if (request.recipe === undefined) return [];
  const { slots, recipe } = request;
  const values = {
    ...slots,
    request: request.words,
    allPrevious: [],
    said: [],
    today,
    tools: [],
    skills: [],
  };
  const tools = callsOf(recipe, slots).flatMap(({ call }) =>
    (typeof call === "string" ? call : call(values)).split("|"),
  );
  const effects = new Set(tools.flatMap((tool) => kinds[tool] ?? []));
  // A request to send covers the draft on the way.
  if (effects.has("send_mail")) effects.delete("write_draft");
  const mentionAll = (names: readonly string[], values: JsonObject = slots) =>
    names.flatMap((name) => mentionsOf(text, values[name]));
  const changed = Array.isArray(slots["changes"]) ? slots["changes"].filter(isObject) : [];
  const people = [
    ...mentionAll(
      effects.has("reply")
        ? ["to", "cc", "guests", "sender"]
        : ["to", "cc", "guests", "invited", "people", "person", "toName"],
    ),
    ...changed.flatMap((change) => mentionAll(["to", "also", "cc"], change)),
  ];
  const [words] = mentionsOf(text, request.words);
  const asking = words && "text" in words ? words : { text: text.name, words: text.text };
  const mentioned = (kind: string, mentions: readonly Mention[]) =>
    mentions.map((mention) => ({ mention, kind }));
  const things: Readonly<Record<string, () => object[]>> = {
    post: () => mentioned("channel", mentionAll(["board", "channel"])),
    open_page: () => mentioned("url", mentionAll(["urls"])),
    forward: () => mentioned("mail", mentionAll(["mail"])),
    send_mail: () => mentioned("file", filesIn(text)),
    change_event: () => mentioned("event", spanOf(text, slots["words"])),
    write_note: () => mentioned("note", mentionsOf(text, titleOf(slots["note"]))),
  };
  const fields = Object.keys(fieldsOf).filter((name) => isPresent(slots[name]));
  return [...effects].map((effect) => ({
    effect,
    words: asking,
    times: isPresent(slots["each"]) ? "each" : "once",
    people: people.map((mention) => ({ mention, means: "person" })),
    things: things[effect]?.() ?? [],
    fields: effect === "change_event" ? fields.map((name) => fieldsOf[name]) : [],
  }));
}

function titleOf(note: unknown): unknown {
  return isObject(note) ? note["title"] : undefined;
}

/** The words of a slot where they are in the text. A value that was changed is not mentioned. */
function mentionsOf(text: Text, value: unknown): Mention[] {
  if (Array.isArray(value)) return value.flatMap((one) => mentionsOf(text, one));
  if (typeof value !== "string" || value === "") return [];
  const slot = /^(?:https:\/\/)?(q\d+)(?:@slot\.example|-slot\.pdf|\.slot\.example\/?)$/.exec(
    value,
  )?.[1];
  if (slot !== undefined) return text.text.includes(`«${slot}:`) ? [{ slot }] : [];
  return text.text.includes(value) ? [{ text: text.name, words: value }] : [];
}

/** Files by their names, also in quotations. */
function filesIn(text: Text): Mention[] {
  const slots = [...text.text.matchAll(/«(q\d+): file»/g)].map(([, slot = ""]) => ({ slot }));
  const names = [...text.text.matchAll(fileName)].map(([words]) => ({ text: text.name, words }));
  return [...slots, ...names];
}

/** The shortest piece of the text that has all of these words in their order. */
function spanOf(text: Text, value: unknown): Mention[] {
  const words = Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return [];
  const start = text.text.indexOf(first);
  const end = text.text.indexOf(last, start);
  return start === -1 || end === -1
    ? []
    : [{ text: text.name, words: text.text.slice(start, end + last.length) }];
}

/** Puts things of the same kind in place of slots, so that the recipes can read the text. */
function withStandIns(text: string): string {
  return text.replaceAll(/«(q\d+): (\w+)[^»]*»/g, (_, name: string, kind: string) =>
    kind === "address"
      ? `${name}@slot.example`
      : kind === "url"
        ? `https://${name}.slot.example/`
        : kind === "file"
          ? `${name}-slot.pdf`
          : `"${name} slot"`,
  );
}

const today = "2026-01-01";
const withFile: Conversation = {
  ...noConversation,
  attachedFiles: [{ name: "file.pdf", digest: "file" }],
};

/** The prompt of the call that reads the owner's words. Undefined for other requests. */
export function promptOfReading({ system, task }: Conversation): string | undefined {
  return system.startsWith("[AUXILIARY CALL read_intent") && isTexts(task) ? task : undefined;
}

function isTexts(task: string): boolean {
  try {
    const value: unknown = JSON.parse(task);
    return Array.isArray(value) && value.every(isObject);
  } catch {
    return false;
  }
}
