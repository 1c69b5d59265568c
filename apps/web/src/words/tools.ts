import { cardsWords } from "./cards.ts";
import { runWords } from "./run.ts";

/** What each tool does, as one reads it while it happens. */
export const toolWords: Readonly<Record<string, string>> = {
  gmail_search: "Searching your mail",
  gmail_thread_read: "Reading a conversation",
  gmail_message_read: "Reading a message",
  gmail_attachment_get: "Downloading an attachment",
  gmail_draft_create: "Writing a draft",
  gmail_draft_update: "Changing a draft",
  gmail_draft_send: "Sending the draft",
  gmail_send: "Sending a mail",
  gmail_reply: "Answering a mail",
  plan: "Planning",
  post_note: "Posting to a board",
  calculator: "Calculating",
  calendar_search: "Looking into your calendar",
  calendar_event_create: "Entering an event",
  calendar_event_update: "Changing an event",
  slack_channels: "Listing Slack's channels",
  slack_read: "Reading Slack",
  web_fetch: "Reading a web page",
  document_read: "Reading a document",
  document_fields: "Extracting fields",
  spawn_bron: "Handing a part over",
  await_bron: "Waiting for a part",
};

/** By what a pattern with a star begins with. */
const about: Readonly<Record<string, string>> = {
  gmail: "mail",
  calendar: "the calendar",
  slack: "Slack",
  web: "the web",
  document: "documents",
};

/** "Sending a mail"; of a tool that nobody has words for, its name. A rule's pattern with a star stands for everything that begins so. */
export function toolInWords(pattern: string): string {
  if (pattern === "*") return "Everything";
  if (pattern.endsWith("*")) {
    const beginning = pattern.slice(0, -1);
    const thing = about[beginning.replace(/_$/, "")];
    return thing === undefined
      ? `Everything that begins with ${beginning}`
      : `Everything about ${thing}`;
  }
  const spaced = pattern.replaceAll("_", " ");
  return toolWords[pattern] ?? `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
}

/** What the model is told of its user, said to the user. */
export function toOwner(words: string): string {
  return words.replace(/^The user took their/, "You took your").replace(/^The user\b/, "You");
}

/** A tool's words within a sentence. */
export function toolInSentence(pattern: string): string {
  const words = toolInWords(pattern);
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** A card's line as a person reads it: a summary names tools as the model does. */
export function cardLineInWords({
  kind,
  text,
}: {
  readonly kind: string;
  readonly text: string;
}): string {
  return kind === "RunSummaryCard" ? describeRuntimeEvents(text) : text;
}

/** "Did gmail_search, Reused gmail_message_read 2 times": one or several, by what they do. */
export function describeRuntimeEvents(text: string): string {
  return text.replaceAll(
    /\b(Did|Reused) ([a-z]\w*)(?: (\d+) times)?(?=, (?:Did|Reused) |$)/g,
    (_, how: string, tool: string, times: string | undefined) => {
      const often = times === undefined ? "" : cardsWords.times(Number(times));
      return `${toolInWords(tool)}${often}${how === "Did" ? "" : ` (${runWords.reused})`}`;
    },
  );
}
