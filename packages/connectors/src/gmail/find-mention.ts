import { nameWords, normalizeAddress, type MentionQuery, type ToolContext } from "@bron/core";
import { readFromGoogle } from "../google/call-google.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import type { PreparedMail } from "./prepared-mail.ts";

/** Finds whom the owner's words mean, for a mail. */
export async function findMailMention(
  deps: GmailDeps,
  query: MentionQuery,
  mail: PreparedMail,
  context: ToolContext,
): Promise<readonly string[]> {
  if (!("means" in query)) return [];
  if (query.means === "person") return await deps.peopleNamed(context, query.words);
  if (query.means === "author") return await findAuthor(deps, query.mails, mail, context);
  return [];
}

/**
 * The person whom a reply goes to, if the words tell which mail is meant, the sender is verified, and
 * the owner has written to them before.
 */
async function findAuthor(
  deps: GmailDeps,
  mentions: readonly string[],
  { threadId, to, known, warnings }: PreparedMail,
  context: ToolContext,
): Promise<readonly string[]> {
  const [author, ...others] = to.map(normalizeAddress);
  const isKnown = known.some(({ address }) => address === author);
  if (author === undefined || others.length > 0 || warnings.length > 0 || !isKnown) return [];
  const [mention, ...more] = mentions;
  if (mention === undefined || more.length > 0 || threadId === "") return [];
  const threads = await threadsAbout(deps, mention, context);
  return threads.length === 1 && threads[0] === threadId ? [author] : [];
}

const maxThreads = 20;

/** The conversations whose subject has all words of the mention. */
async function threadsAbout(
  deps: GmailDeps,
  mention: string,
  context: ToolContext,
): Promise<readonly string[]> {
  const words = nameWords(mention);
  if (words.length === 0) return [];
  const { messages = [] } = await readFromGoogle(deps, context, ({ gmail }, options) =>
    gmail.users.messages.list(
      {
        userId: "me",
        q: words.map((word) => `subject:${word}`).join(" "),
        maxResults: maxThreads,
      },
      options,
    ),
  );
  return [...new Set(messages.flatMap(({ threadId }) => threadId ?? []))];
}
