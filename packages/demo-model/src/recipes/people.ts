import { quotation } from "../recipe/quotes.ts";
import type { SlotReader } from "../recipe/slot.ts";
import type { Text } from "../recipe/text.ts";

const address = "[a-z0-9._%+-]+@[a-z0-9-]+(?:\\.[a-z0-9-]+)+";

/** Takes the addresses of recipients or guests. An address after "from" is a sender. */
export const addresses: SlotReader<readonly string[]> = (text) =>
  text.takeAll(
    new RegExp(
      `(?:(?<![a-z])(?:my \\w+ at|to|and|with|for|e-?mail|mail|tell|send)\\s+)?(?<![\\w@.])(?<!\\b(?:from|by) )(?<value>${address})`,
    ),
  );

const notNames =
  "(?:the|my|our|your|his|her|their|its|a|an|it|that|this|those|these|them|me|him|us|soon|asap|quickly|back|last|latest|newest|most|recent|today|yesterday|inbox|mails?|e?-?mails?|there|here|attachments?|pdf|csv|now|which|to|about|in|on|of|saying|all|any|each|everyone|everybody|someone|somebody|anyone|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|i|you|we|they|he|she|who|what|when|where)";
const oneName = `(?<value>${quotation}|${address}|(?!${notNames}\\b)[\\p{L}\\d][\\p{L}\\d&.+-]*(?<![.+-]))`;
const documents = "invoice|order|quote|bill|receipt|statement|contract|report|e?-?mail|message";
const forms = [
  `\\b(?:sent by|written by|received from|from)\\s+(?:the (?:company|supplier|customer)\\s+)?${oneName}`,
  `(?<![\\p{L}\\d])${oneName}\\s+(?:has |just )?(?:sent|e-?mailed|mailed|wrote)\\s+(?:to )?(?:me|us)\\b`,
  `\\b(?:did|does|has|have)\\s+${oneName}(?:\\s\\p{L}+)?\\s+(?:write|wrote|say|said|send|sent|want|mean|ask|reply|tell|mention)`,
  `\\b(?:reply|respond|answer)(?:\\s+to)?\\s+${oneName}(?=\\s|'|[.,;:!?]|$)`,
  `(?<![\\p{L}\\d])(?!(?:what|that|it|who|there|here|let|today)')${oneName}'s\\b`,
  `\\b(?:latest|newest|last|recent)\\s+(?=\\p{L}+\\s+(?:${documents}))(?!(?:purchase|delivery|bank|order|unread|pdf|excel|csv)\\b)${oneName}`,
].map((form) => new RegExp(form, "u"));

const capitalsBefore = /(?<!\p{L})(?:(?!What|That|When|Has|Did)\p{Lu}[\p{L}'’-]* )+$/u;
const capitalsAfter = /^(?: (?:&|\p{Lu}[\p{L}\d&'’-]*))+/u;

const notSecond =
  "about|and|that|saying|says?|in|on|at|to|with|as|for|from|please|now|yet|again|lately|recently|today|yesterday|tomorrow|then|if|is|was|are|has|have|did|does|the|my|this|last|next|or|but|me|us|still|also|too|instead";
const second = new RegExp(
  `^ (?!(?:${notSecond})\\b)\\p{L}[\\p{L}'’-]+(?=\\s*(?:[?.!,;:]|$)|\\s+(?:about|and|that|saying|say|to)\\b)`,
  "iu",
);

/** Takes the second word of a name in small letters, at the end of its part of the sentence. */
function smallName(text: Text, at: number): string {
  const [found = ""] = second.exec(text.rest().slice(at)) ?? [];
  if (found !== "") text.take(new RegExp(`(?<=^.{${at}}).{${found.length}}`, "su"));
  return found;
}

/** Takes the name or address of a sender: "from Nora Wirth", "Northwind's". */
export const sender: SlotReader<string> = (text) => {
  for (const [index, form] of forms.entries()) {
    const before = text.rest();
    const name = text.take(form);
    if (name === undefined) continue;
    if (!/^\p{Lu}/u.test(name))
      return `${name}${smallName(text, before.indexOf(name) + name.length)}`;
    // A pattern reads one word. Other words of the name start with a capital too.
    const at = before.indexOf(name);
    const isBeforeVerb = index === 1;
    const [start = ""] = (isBeforeVerb && capitalsBefore.exec(before.slice(0, at))) || [];
    const [end = ""] = capitalsAfter.exec(before.slice(at + name.length)) ?? [];
    if (end !== "") text.take(new RegExp(`(?<=^.{${at + name.length}}).{${end.length}}`, "su"));
    return `${start}${name}${end}`.replace(/['’]s$/, "");
  }
  return undefined;
};

/** "Eva Lang" for "Eva Lang <eva@x.example>". */
export function nameOf(from: string): string {
  return /^"?([^"<]+?)"?\s*</.exec(from)?.[1] ?? from;
}

/** "eva@x.example" for "Eva Lang <eva@x.example>". */
export function addressOf(from: string): string {
  return /<([^<>\s]+@[^<>\s]+)>/.exec(from)?.[1] ?? from.trim();
}
