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

const askKindWords: Readonly<Record<AskKind, string>> = {
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

/** "an email to Eva and Paul (offer.pdf)" */
export function describeAskedFor(
  { kind, people, things }: AskedFor,
  words: Readonly<Record<AskKind, string>> = askKindWords,
): string {
  const joined = people.join(", ").replace(/, (?=[^,]*$)/, " and ");
  const who = people.length === 0 ? "" : ` ${kind.endsWith("_event") ? "with" : "to"} ${joined}`;
  return `${words[kind]}${who}${things.length === 0 ? "" : ` (${things.join(", ")})`}`;
}
