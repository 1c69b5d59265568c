import { omitUndefined } from "@bron/protocol";
import type { Given, Step } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import type { Text } from "../recipe/text.ts";
import { textOf } from "./json.ts";
import { addressOf, nameOf } from "./people.ts";
import { readSearch, type SearchValues } from "./search-email.ts";

export interface AddressValues {
  /** A recipient by name: "Jonas". */
  toName?: string | undefined;
  /** Names that have to be looked up. */
  names?: readonly string[];
  /** Names to whom the owner has not written. */
  strangers?: readonly string[];
  received?: readonly SearchValues["found"][];
  written?: readonly SearchValues["found"][];
  mails?: readonly unknown[];
  /** Addresses by name. */
  known?: Readonly<Record<string, string>>;
}

const notNames =
  "(?:me|my|it|them|him|her|us|you|the|an?|this|that|these|those|some|someone|something|any|anyone|anybody|all|everyone|each|both|your|our|his|their|its|say|see|send|be|do|get|next|last|work|today|tomorrow|slack|calendar|notes?|drafts?|e?-?mails?|inbox|gmail|read|summary|from|about|in|on|at|of|to|with|for|and|or|so|we|i|he|she|they|is|are|was|make|made|change|mention|use|move|ask|tell|remove|drop|keep|write|include|add|cc|also|too|please|thanks|thank|instead|shorter|longer|more|less|friendlier|nicer|formal|friendly|invoices?|orders?|only|just|now|not|don't|then|when|if|as|by|one|two|half|noon|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|german|english|french|spanish|italian|polish|dutch|chinese|japanese|portuguese)";
const isNoName = new RegExp(`^${notNames}$`, "i");
const name = "(?<value>\\p{L}[\\p{L}’'-]+(?: \\p{Lu}[\\p{L}’'-]+)?)";
const goesOn =
  "(?=\\s+(?:instead|that|saying|about|and|too|as well|now|an?|the|my|our|what|when|how|please)\\b|\\s*[.,:!?]|\\s*$|\\s+\uE200)";

const person = `(?:[a-z0-9._%+-]+@[a-z0-9-]+(?:\\.[a-z0-9-]+)+|(?!${notNames}(?![\\p{L}]))\\p{L}[\\p{L}’'-]+(?![\\p{L}@]))`;
const people = `(?<value>${person}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+)${person})*)`;

/** Takes names and addresses after some words: "jonas and eva@x.example". */
export function takePeople(text: Text, before: string, after = ""): readonly string[] {
  const found = text.take(new RegExp(`${before}${people}${after}`, "u"));
  return found?.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i) ?? [];
}

/** The people of a list whom none of the names means. */
export function withoutPeople(list: readonly string[], names: readonly string[] = []) {
  return list.filter((one) => !names.some((wanted) => isPerson(one, wanted)));
}

function isPerson(one: string, wanted: string): boolean {
  const [entry, name] = [one.toLowerCase(), wanted.toLowerCase()];
  const words = entry.replace(/@[^>\s]*/g, "").split(/[^\p{L}]+/u);
  return entry.includes(`@`) && name.includes("@") ? entry.includes(name) : words.includes(name);
}

/** Takes the names of people who are not wanted: "without lea", "not to priya", "don't cc ben". */
export function takeUnwanted(text: Text): readonly string[] {
  const before =
    "(?<!\\b(?:is|are|was|am|be) )\\b(?:but )?(?:no cc|(?:remove|drop|delete|uninvite|exclude|without|leave out|take out|take|not)(?: also)?|(?:don't|do not|never) (?:cc|send (?:it|this|that)?|e-?mail|mail|copy|invite|include|add|put|write|tell))(?: to| for| from| in cc)?\\s+";
  const after =
    "(?:\\s+(?:from|in|on|off|out of|to)(?: the)? (?:cc|copy|list|recipients|guests|it))?(?:\\s+out)?(?:\\s+please)?(?=\\s|[,.;!?]|$)";
  // In "not priya, jonas" the second person is wanted.
  return text.has(new RegExp(`${before}${person}\\s*,\\s*${person}`, "u"))
    ? []
    : takePeople(text, before, after);
}

/** Takes the names and addresses in copy: "cc ben and b@x.example". */
export const copies: SlotReader<readonly string[]> = (text) => [
  ...takePeople(
    text,
    "(?:[,;]\\s*)?(?:\\band )?(?:\\bput )?\\b(?<!\\bb)(?:cc|in copy|copy)(?: also| to)?:?\\s+",
  ),
  ...takePeople(
    text,
    "(?:[,;]\\s*)?(?:\\band )?\\b(?:with|put|take|have)\\s+",
    "\\s+(?:in|on|into) (?:the )?(?:cc|copy)\\b",
  ),
];

/** Takes the other recipients of a list whose first one was taken: "lea and ben". */
export const moreNames: SlotReader<readonly string[]> = (text) => {
  const found = text.take(
    new RegExp(
      `(?<=\\S\\s{3,})(?:,\\s*(?:and\\s+)?|and\\s+)${people}(?=\\s{2}|\\s*[.,:!?]|\\s*$|\\s+(?:that|saying|about|an?)\\b)`,
      "u",
    ),
  );
  return found?.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i) ?? [];
};

/** A name is written with a capital, or stands where only a recipient can. */
const capital = [
  new RegExp(`(?<=\\bto\\s+)${name}`, "u"),
  new RegExp(`(?<=\\b(?:e-?mail|mail|send|tell|write)\\s+)${name}`, "u"),
];
const anyCase = [
  new RegExp(
    `(?<=\\b(?:it|that|this|them|same|e-?mail|mail|message|draft|summary|write)\\s+to\\s+)${name}${goesOn}`,
    "u",
  ),
  new RegExp(`(?<=^\\s*(?:please\\s+)?(?:e-?mail|mail|write|send)\\s+)${name}${goesOn}`, "u"),
];

/** Reads a recipient without an address. */
export const toName: SlotReader<string> = (text) => {
  if (text.has(/@/)) return undefined;
  for (const pattern of [...capital, ...anyCase]) {
    const found = new RegExp(pattern, "iu").exec(text.rest())?.groups?.["value"] ?? "";
    // Patterns ignore case, so that a second word may be no part of the name.
    const [first = "", second = ""] = found.split(" ");
    const own = /^\p{Lu}/u.test(second) ? found : first;
    const isName = anyCase.includes(pattern) || /^\p{Lu}/u.test(own);
    if (own === "" || isNoName.test(first) || !isName) continue;
    text.take(new RegExp(`(?:\\bto\\s+)?\\b${own}(?![\\p{L}])`, "u"));
    return own;
  }
  return undefined;
};

/** The owner's own address book is the mail that they sent. */
function addressIn(mail: unknown, wanted: string): string | undefined {
  const [first = ""] = wanted.toLowerCase().split(" ");
  const listed = `${textOf(mail, "to")}, ${textOf(mail, "cc")}`.split(/,\s*/);
  return listed.find((entry) => entry.includes("@") && entry.toLowerCase().includes(first))?.trim();
}

const quotedName = (name: string) => (name.includes(" ") ? `"${name}"` : name);

/** The one address from which a person with this name wrote. */
function senderIn(found: SearchValues["found"], wanted: string): string | undefined {
  const words = wanted.toLowerCase().split(" ");
  const senders = (found?.matches ?? [])
    .map(({ from }) => from)
    .filter((from) => {
      const names = nameOf(from)
        .toLowerCase()
        .split(/[^\p{L}'-]+/u);
      return from.includes("@") && words.every((word) => names.includes(word));
    });
  const [only, ...others] = new Set(senders.map((from) => addressOf(from).toLowerCase()));
  return others.length > 0 ? undefined : only;
}

/** The address of a person that was looked up, or that is one already. */
export function addressFor(one: string, known: AddressValues["known"]): string {
  return known?.[one] ?? one;
}

function knownAddresses({
  names = [],
  mails = [],
  known = {},
  strangers = [],
  received = [],
}: AddressValues): Readonly<Record<string, string>> {
  const found = [
    ...names.map((one) => [one, mails.map((mail) => addressIn(mail, one)).find(Boolean)] as const),
    ...strangers.map((one, at) => [one, senderIn(received[at], one)] as const),
  ];
  return {
    ...known,
    ...Object.fromEntries(
      found.flatMap(([one, address]) => (address === undefined ? [] : [[one, address]])),
    ),
  };
}

/**
 * Looks up the addresses of names in the mail that the owner sent. Without an address the request
 * ends, unless it is optional.
 */
export function lookUp<V extends AddressValues>(
  namesIn: (values: V & Given) => readonly (string | undefined)[],
  id?: string,
  isOptional = false,
): readonly Step<V>[] {
  const rescue = isOptional ? { rescue: () => undefined } : {};
  const steps: readonly Step<AddressValues>[] = [
    {
      ...omitUndefined({ id }),
      set: (values) => ({
        names: [...new Set(namesIn(values as V & Given))].filter(
          (one): one is string =>
            one !== undefined && !/[@#]/.test(one) && values.known?.[one] === undefined,
        ),
        mails: [],
      }),
    },
    {
      if: ({ names }) => names?.length,
      call: "gmail_search",
      with: ({ names = [] }) =>
        names.map((one) => ({ query: `in:sent to:${one.split(" ")[0]}`, maxResults: 1 })),
      doing: "look up the address",
      as: "written",
      read: readSearch,
      ...rescue,
    },
    {
      if: ({ names, written }) => names?.length && written?.some((one) => one?.matches.length),
      call: "gmail_message_read|gmail_getMessage",
      with: ({ written = [] }) =>
        [...new Set(written.flatMap((one) => one?.matches[0]?.messageId ?? []))].map(
          (messageId) => ({ messageId }),
        ),
      doing: "look up the address",
      as: "mails",
      ...rescue,
    },
    {
      set: ({ names = [], mails = [] }) => ({
        strangers: (isOptional ? [] : names).filter(
          (one) => !mails.some((mail) => addressIn(mail, one)),
        ),
      }),
    },
    // A person to whom the owner has not written yet may have written to the owner.
    {
      if: ({ strangers }) => strangers?.length,
      call: "gmail_search",
      with: ({ strangers = [] }) =>
        strangers.map((one) => ({ query: `from:${quotedName(one)}`, maxResults: 5 })),
      doing: "look up the address",
      as: "received",
      read: readSearch,
      rescue: () => undefined,
    },
    {
      set: (values) => ({ known: knownAddresses(values) }),
    },
    {
      if: ({ names = [], known }) => !isOptional && names.some((one) => known?.[one] === undefined),
      say: ({ names = [], known }) =>
        names
          .filter((one) => known?.[one] === undefined)
          .map((one) => `I don't know the email address of ${one}.`),
      stop: true,
      outcome: "could_not",
    },
  ];
  return steps as readonly Step<V>[];
}
