import type { MailAddress } from "../mime/addresses.ts";
import type { MailFacts } from "../mime/mail-facts.ts";
import { foldWords } from "./fold-words.ts";

/** A searchable message. In its texts, words are folded (see `foldWords`), with a space around each. */
export interface SearchDocument {
  readonly words: ReadonlySet<string>;
  /** Subject, body, people and attachment names. A phrase never matches across two of them. */
  readonly text: string;
  readonly fields: Readonly<Record<SearchField, string>>;
  readonly messageId: string;
}

export type SearchField =
  | "from"
  | "to"
  | "cc"
  | "bcc"
  | "subject"
  | "filename"
  | "deliveredto"
  | "list";

export function createSearchDocument(facts: MailFacts): SearchDocument {
  const fields = {
    from: foldPeople(facts.from),
    // Gmail's `to:` matches all recipients.
    to: foldPeople([...facts.to, ...facts.cc, ...facts.bcc]),
    cc: foldPeople(facts.cc),
    bcc: foldPeople(facts.bcc),
    subject: foldText(facts.subject),
    filename: facts.attachmentNames.map(foldText).join("\n"),
    deliveredto: facts.deliveredTo.map(foldText).join("\n"),
    list: foldText(facts.listId),
  };
  const text = [fields.subject, foldText(facts.text), fields.from, fields.to, fields.filename].join(
    "\n",
  );
  return {
    words: new Set(text.split(/[ \n]+/)),
    text,
    fields,
    messageId: facts.messageId.toLowerCase(),
  };
}

export function foldText(text: string): string {
  return ` ${foldWords(text).join(" ")} `;
}

function foldPeople(people: readonly MailAddress[]): string {
  return people.map(({ name, address }) => `${foldText(name)}\n${foldText(address)}`).join("\n");
}
