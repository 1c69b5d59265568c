import { nameWords, type MentionQuery, type ToolContext } from "@bron/core";
import { findConversation, peopleOfConversation } from "./find-conversation.ts";
import { findDraftMention } from "./find-draft.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { isMailId, readMailMention } from "./mail-mention.ts";
import type { PreparedMail } from "./prepared-mail.ts";

/** Finds whom the owner's words mean, for a mail. */
export async function findMailMention(
  deps: GmailDeps,
  query: MentionQuery,
  { account }: Pick<PreparedMail, "account">,
  context: ToolContext,
): Promise<readonly string[]> {
  if (!("means" in query))
    return query.kind === "draft" ? await findDraftMention(deps, query.words, context) : [];
  if (query.means === "owner") return [];
  if (query.means === "person") return await deps.peopleNamed(context, query.words);
  const [mention = query.words, ...others] = query.mails;
  const found = others.length > 0 ? undefined : await findConversation(deps, mention, context);
  if (found) {
    const { threadId, subject } = found;
    const people = await peopleOfConversation(deps, { threadId, account }, context);
    return query.means === "author"
      ? await calledSo(
          deps,
          { mention: query.words, mail: mention, subject },
          people.author,
          context,
        )
      : people.everyone;
  }
  // "Reply to Rachel" names a person, and no mail.
  return query.means === "author" && query.mails.length === 0
    ? await deps.peopleNamed(context, query.words)
    : [];
}

/**
 * If the owner names the author, it must be a person whom the owner calls so. A word of the subject
 * is a name only if the owner calls a person so.
 */
async function calledSo(
  { peopleNamed }: Pick<GmailDeps, "peopleNamed">,
  { mention, mail, subject }: Mentioned,
  author: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  const inMail = await peopleCalled({ peopleNamed }, readMailMention(mail).words, context);
  // Anyone can write the name of another person into a subject.
  if (inMail.length > 0 && !author.some((address) => inMail.includes(address))) return [];
  const words = readMailMention(mention).words.filter(
    (word) => !pronouns.has(word) && !isMailId(word),
  );
  const isName = await Promise.all(
    words.map(
      async (word) => !subject.includes(word) || (await peopleNamed(context, word)).length > 0,
    ),
  );
  const names = words.filter((_, index) => isName[index]);
  if (names.length === 0) return author;
  const named = await peopleNamed(context, names.join(" "));
  return author.filter((address) => named.includes(address));
}

interface Mentioned {
  /** How the owner calls the author. */
  readonly mention: string;
  /** How the owner calls the email. */
  readonly mail: string;
  readonly subject: readonly string[];
}

/** Everyone whom one of the words names. */
async function peopleCalled(
  { peopleNamed }: Pick<GmailDeps, "peopleNamed">,
  words: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  return (await Promise.all(words.map((word) => peopleNamed(context, word)))).flat();
}

/** Words around an author that name no one. */
const pronouns = new Set(
  [
    "him her them it he she they sender author person back answer reply respond write",
    "ihm ihr ihnen ihn sie er absender absenderin darauf antworte antworten antwort schreibe",
    "lui elle eux leur expéditeur réponds répondre réponse",
    "él ella ellos le les remitente responde contesta",
    "lui lei loro mittente rispondi",
    "hem haar hen afzender antwoord beantwoord",
    "jemu jej im nadawcy odpowiedz",
  ].flatMap((line) => line.split(" ").flatMap(nameWords)),
);
