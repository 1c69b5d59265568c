import { z } from "zod";

/** What the owner's words can ask for. */
export const askKinds = [
  "send_mail",
  "reply",
  "forward",
  "write_draft",
  "create_event",
  "change_event",
  "cancel_event",
  "post",
  "write_note",
  "open_page",
] as const;
export type AskKind = (typeof askKinds)[number];

/** What a model read in the owner's words, as far as it is in them. */
export const askedForSchema = z.object({
  kind: z.enum(askKinds),
  /** People, and then things, as the owner wrote them. */
  people: z.array(z.string()).readonly(),
  things: z.array(z.string()).readonly(),
});
type AskedFor = Readonly<z.infer<typeof askedForSchema>>;

export interface AskedForWords {
  readonly kinds: Readonly<Record<AskKind, string>>;
  /** "Eva, Paul and Zoe" */
  people(names: readonly string[]): string;
  /** "an email to Eva" */
  reaching(what: string, people: string): string;
  /** "an event with Eva" */
  meeting(what: string, people: string): string;
}

const kinds: AskedForWords["kinds"] = {
  send_mail: "an email",
  reply: "a reply",
  forward: "a forwarded email",
  write_draft: "a draft",
  create_event: "an event",
  change_event: "a change to an event",
  cancel_event: "a canceled event",
  post: "a post",
  write_note: "a note",
  open_page: "a page to open",
};

export const askedForWords: AskedForWords = {
  kinds,
  people: (names) => names.join(", ").replace(/, (?=[^,]*$)/, " and "),
  reaching: (what, people) => `${what} to ${people}`,
  meeting: (what, people) => `${what} with ${people}`,
};

/** "an email to Eva and Paul (offer.pdf)" */
export function describeAskedFor(
  { kind, people, things }: AskedFor,
  words: AskedForWords = askedForWords,
): string {
  const what = words.kinds[kind];
  const join = kind.endsWith("_event") ? words.meeting : words.reaching;
  const who = people.length === 0 ? what : join(what, words.people(people));
  return things.length === 0 ? who : `${who} (${things.join(", ")})`;
}
