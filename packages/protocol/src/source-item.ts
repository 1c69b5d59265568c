import { z } from "zod";
import { visible } from "./visible.ts";

/** Kinds of things that a result consists of, as a person knows them. */
const sourceItemKinds = [
  "email",
  "draft",
  "event",
  "file",
  "message",
  "page",
  "note",
  "task",
] as const;
type SourceItemKind = (typeof sourceItemKinds)[number];

/** What a person recognizes a part of a result by. Others may have chosen its texts. */
export const sourceItemSchema = z.object({
  kind: z.enum(sourceItemKinds),
  /** Its subject, title or name. For a message, the channel that it is in. */
  title: z.string(),
  /** Who wrote or sent it: `Rachel Stone <rachel@stone.example>`, or a name. */
  author: z.string().optional(),
  /** An ISO date or time. */
  date: z.string().optional(),
});
export type SourceItem = Readonly<z.infer<typeof sourceItemSchema>>;

/** A part of an output that has a source of its own, such as one email of a search. */
export const labelPartSchema = z.object({
  /** The keys that lead to it in the output. Empty for all of it. */
  path: z.array(z.union([z.string(), z.number().int()])).readonly(),
  item: sourceItemSchema,
  /** Set if it is a file, or was read from one. The name under which it was first seen counts. */
  digest: z.string().optional(),
  /** Digests of files that were made from it. They keep its name and author. */
  copies: z.array(z.string()).readonly().optional(),
});
export type LabelPart = Readonly<z.infer<typeof labelPartSchema>>;

interface ItemTexts {
  /** Between quote marks. */
  readonly title: string;
  /** Empty if unknown. */
  readonly author: string;
}

/** A phrase for each kind. To translate them, pass another table. */
type SourceItemWords = {
  readonly [K in SourceItemKind]: (item: ItemTexts) => string;
};

const from = (author: string) => (author === "" ? "" : ` from ${author}`);

export const sourceItemWords: SourceItemWords = {
  email: ({ title, author }) => `the email ${title}${from(author)}`,
  draft: ({ title }) => `the draft ${title}`,
  event: ({ title, author }) => `the event ${title}${from(author)}`,
  file: ({ title, author }) => `the file ${title}${from(author)}`,
  message: ({ title, author }) => `a message${from(author)} in ${title}`,
  page: ({ title, author }) => `the page ${title}${from(author)}`,
  note: ({ title }) => `your note ${title}`,
  task: ({ title }) => `the subtask ${title}`,
};

/** `Rachel Stone <rachel@x.example>` as "Rachel Stone (rachel@x.example)": a name can be forged. */
function readableAuthor(author: string): string {
  const start = author.lastIndexOf("<");
  if (start < 0 || !author.endsWith(">")) return author;
  const name = author.slice(0, start).trim().replaceAll('"', "");
  const address = author.slice(start + 1, -1);
  return name === "" ? address : `${name} (${address})`;
}

/**
 * Describes an item in words: "the email “Invoice 4711” from Rachel Stone (…), 11 Nov". Its texts are
 * made visible, because others chose them.
 */
export function describeItem(
  { kind, title, author = "", date = "" }: SourceItem,
  formatDate: (date: string) => string,
  words: SourceItemWords = sourceItemWords,
): string {
  const phrase = words[kind]({
    title: `“${visible(title)}”`,
    author: visible(readableAuthor(author)),
  });
  return Number.isNaN(Date.parse(date)) ? phrase : `${phrase}, ${formatDate(date)}`;
}
