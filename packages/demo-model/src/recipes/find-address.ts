import type { Step } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { textOf } from "../words/json.ts";
import { readSearch, type SearchValues } from "./search-email.ts";

export interface AddressValues {
  /** A recipient by name: "Jonas". */
  toName?: string | undefined;
  to?: readonly string[];
  written?: SearchValues["found"];
}

const notNames =
  /^(?:me|my|it|them|him|her|us|you|the|an?|this|that|these|those|some|someone|any|anyone|all|everyone|each|both|your|our|his|their|its|say|see|send|be|do|get|next|last|work|today|tomorrow|slack|calendar|notes?|drafts?|e?-?mails?|inbox|gmail|read|summary|from|about|in|of|with|for|invoices?|orders?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|german|english|french|spanish|italian|polish|dutch|chinese|japanese|portuguese)$/i;
const name = "(?<value>\\p{L}[\\p{L}’'-]+(?: \\p{Lu}[\\p{L}’'-]+)?)";
const goesOn = "(?=\\s+(?:instead|that|saying|about|and|too|as well|now)\\b|\\s*[.,:!?]|\\s*$)";

/** A name is written with a capital, or stands where only a recipient can. */
const capital = [
  new RegExp(`(?<=\\bto\\s+)${name}`, "u"),
  new RegExp(`(?<=\\b(?:e-?mail|mail|send|tell|write)\\s+)${name}`, "u"),
];
const anyCase = [
  new RegExp(
    `(?<=\\b(?:it|that|this|them|e-?mail|mail|message|draft|summary|write)\\s+to\\s+)${name}${goesOn}`,
    "u",
  ),
  new RegExp(`(?<=^\\s*(?:please\\s+)?(?:e-?mail|mail)\\s+)${name}${goesOn}`, "u"),
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
    if (own === "" || notNames.test(first) || !isName) continue;
    text.take(new RegExp(`(?:\\bto\\s+)?\\b${own}(?![\\p{L}])`, "u"));
    return own;
  }
  return undefined;
};

/** The owner's own address book is the mail that they sent. */
function addressIn(result: unknown, person = ""): readonly string[] {
  const [first = ""] = person.toLowerCase().split(" ");
  const listed = `${textOf(result, "to")}, ${textOf(result, "cc")}`.split(/,\s*/);
  const found = listed.find((entry) => entry.includes("@") && entry.toLowerCase().includes(first));
  return found === undefined ? [] : [found.trim()];
}

/** Looks up the address of `toName` in the mail that the owner sent. */
export const findAddress: readonly Step<AddressValues>[] = [
  {
    if: ({ toName: person }) => person,
    call: "gmail_search",
    with: ({ toName: person }) => ({ query: `in:sent to:${person?.split(" ")[0]}`, maxResults: 1 }),
    doing: "look up the address",
    as: "written",
    read: readSearch,
  },
  {
    if: ({ toName: person, written }) => person && written?.matches.length === 0,
    say: ({ toName: person }) => `I don't know the email address of ${person}.`,
    stop: true,
    outcome: "could_not",
  },
  {
    if: ({ toName: person }) => person,
    call: "gmail_message_read|gmail_getMessage",
    with: ({ written }) => ({ messageId: written?.matches[0]?.messageId }),
    doing: "look up the address",
    as: "to",
    read: (result, { toName: person }) => addressIn(result, person),
  },
  {
    if: ({ toName: person, to }) => person && to?.length === 0,
    say: ({ toName: person }) => `I don't know the email address of ${person}.`,
    stop: true,
    outcome: "could_not",
  },
  { set: () => ({ toName: undefined }) },
];
