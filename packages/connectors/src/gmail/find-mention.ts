import { nameWords, type MentionQuery, type ToolContext } from "@bron/core";
import { findConversation, peopleOfConversation } from "./find-conversation.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { readMailMention } from "./mail-mention.ts";
import type { PreparedMail } from "./prepared-mail.ts";

/** Finds whom the owner's words mean, for a mail. */
export async function findMailMention(
  deps: GmailDeps,
  query: MentionQuery,
  { account }: Pick<PreparedMail, "account">,
  context: ToolContext,
): Promise<readonly string[]> {
  if (!("means" in query) || query.means === "owner") return [];
  if (query.means === "person") return await deps.peopleNamed(context, query.words);
  const [mention = query.words, ...others] = query.mails;
  const threadId = others.length > 0 ? undefined : await findConversation(deps, mention, context);
  if (threadId !== undefined) {
    const people = await peopleOfConversation(deps, { threadId, account }, context);
    return query.means === "author"
      ? await calledSo(deps, query.words, people.author, context)
      : people.everyone;
  }
  // "Reply to Rachel" names a person, and no mail.
  return query.means === "author" && query.mails.length === 0
    ? await deps.peopleNamed(context, query.words)
    : [];
}

/** If the owner names the author, it must be a person whom the owner calls so. */
async function calledSo(
  { peopleNamed }: Pick<GmailDeps, "peopleNamed">,
  mention: string,
  author: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  const { words } = readMailMention(mention);
  const names = words.filter((word) => !pronouns.has(word));
  if (names.length === 0) return author;
  const named = await peopleNamed(context, names.join(" "));
  return author.filter((address) => named.includes(address));
}

/** Words for an author that name no one. */
const pronouns = new Set(
  [
    "him her them it he she they sender author person back",
    "ihm ihr ihnen ihn sie er absender absenderin darauf",
    "lui elle eux leur expéditeur",
    "él ella ellos le les remitente",
    "lui lei loro mittente",
    "hem haar hen afzender",
    "jemu jej im nadawcy",
  ].flatMap((line) => line.split(" ").flatMap(nameWords)),
);
