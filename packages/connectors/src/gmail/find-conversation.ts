import { isCommonWord, nameWords, normalizeAddress, type ToolContext } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import { readFromGoogle } from "../google/call-google.ts";
import { ifFound } from "../google/if-found.ts";
import { markHeader } from "./compose-mail.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { isMailId, readMailMention } from "./mail-mention.ts";
import { headerOf, isByHand } from "./read-mail.ts";
import { knownSender } from "./known-sender.ts";
import { headerAddresses, isAccount } from "./sender-check.ts";

type Message = gmail_v1.Schema$Message;

const maxMessages = 20;
const batchSize = 10;
const headers = ["From", "To", "Cc", "Reply-To", "Subject", "Authentication-Results", markHeader];

interface Conversation {
  readonly threadId: string;
  /** The words of its subject. */
  readonly subject: readonly string[];
}

/**
 * The mails that a mention can mean: those whose subject and sender have all of its words, or the
 * newest of them if the owner says so. A sender who is named must be one whom the owner has written
 * to, and verified, because senders choose their names freely. Undefined if there may be more.
 */
async function findMatching(
  deps: GmailDeps,
  mention: string,
  context: ToolContext,
): Promise<readonly Message[] | undefined> {
  const { words, senderWords, isNewest } = readMailMention(mention);
  const [id, ...otherIds] = words.filter(isMailId);
  if (id !== undefined && otherIds.length === 0) {
    const byId = await findById(deps, id, context);
    // A number of a subject looks like an id, too.
    if (byId.length > 0) return byId;
  }
  if (words.length === 0 && !isNewest) return undefined;
  const terms = words.map((word) => `{subject:${word} from:${word}}`);
  const { messages = [], nextPageToken } = await readFromGoogle(
    deps,
    context,
    ({ gmail }, options) =>
      gmail.users.messages.list(
        { userId: "me", q: ["-in:sent -in:draft", ...terms].join(" "), maxResults: maxMessages },
        options,
      ),
  );
  const found = messages.flatMap(({ id }) => id ?? []);
  // Older mails, which are not in this list, may match too.
  if ((found.length >= maxMessages || nextPageToken) && !isNewest) return undefined;
  const read: Message[] = [];
  for (let at = 0; at < found.length; at += batchSize)
    read.push(...(await readHeaders(deps, found.slice(at, at + batchSize), context)));
  const names = [...senderWords, ...(await namesIn(deps, words, context))];
  const matching = (
    await Promise.all(
      read.map(async (message) =>
        (await hasWords(deps, message, { words, names }, context)) ? [message] : [],
      ),
    )
  ).flat();
  const newestFirst = matching.toSorted(
    (one, other) => Number(other.internalDate ?? 0) - Number(one.internalDate ?? 0),
  );
  return isNewest ? newestFirst.slice(0, 1) : newestFirst;
}

/** The email with this id, or those of the conversation with it. */
async function findById(
  deps: GmailDeps,
  id: string,
  context: ToolContext,
): Promise<readonly Message[]> {
  const byId = await readHeaders(deps, [id], context);
  const found = byId.length > 0 ? byId : await readThread(deps, id, context);
  return found.filter(({ labelIds }) => labelIds?.includes("DRAFT") !== true);
}

async function readThread(deps: GmailDeps, id: string, context: ToolContext): Promise<Message[]> {
  const thread = await ifFound(
    readFromGoogle(deps, context, ({ gmail }, options) =>
      gmail.users.threads.get(
        { userId: "me", id, format: "metadata", metadataHeaders: headers },
        options,
      ),
    ),
  );
  return thread?.messages ?? [];
}

/** The only conversation that a mention can mean. */
export async function findConversation(
  deps: GmailDeps,
  mention: string,
  context: ToolContext,
): Promise<Conversation | undefined> {
  const matching = (await findMatching(deps, mention, context)) ?? [];
  if (new Set(matching.map(({ threadId }) => threadId)).size > 1) return undefined;
  const [last] = matching;
  return last?.threadId
    ? { threadId: last.threadId, subject: nameWords(headerOf(last, "Subject")) }
    : undefined;
}

/** The ids of the mails that a mention can mean. */
export async function findMails(
  deps: GmailDeps,
  mention: string,
  context: ToolContext,
): Promise<readonly string[]> {
  return ((await findMatching(deps, mention, context)) ?? []).flatMap(({ id }) => id ?? []);
}

async function readHeaders(
  deps: GmailDeps,
  ids: readonly string[],
  context: ToolContext,
): Promise<Message[]> {
  const read = await Promise.all(
    ids.map((id) =>
      ifFound(
        readFromGoogle(deps, context, ({ gmail }, options) =>
          gmail.users.messages.get(
            { userId: "me", id, format: "metadata", metadataHeaders: headers },
            options,
          ),
        ),
      ),
    ),
  );
  return read.filter((message) => message !== undefined);
}

/** The words by which the owner calls people. Anyone can write them into a subject. */
async function namesIn(
  { peopleNamed }: GmailDeps,
  words: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  const names = words.filter((word) => !isMailId(word) && !isCommonWord(word));
  const people = await Promise.all(names.map((word) => peopleNamed(context, word)));
  return names.filter((_, index) => people[index]?.length);
}

interface Wanted {
  readonly words: readonly string[];
  /** Those that must name the sender. */
  readonly names: readonly string[];
}

async function hasWords(
  deps: GmailDeps,
  message: Message,
  { words, names }: Wanted,
  context: ToolContext,
): Promise<boolean> {
  if (message.labelIds?.some((label) => label === "SENT" || label === "DRAFT") === true)
    return false;
  const subject = nameWords(headerOf(message, "Subject"));
  const missing = words.filter((word) => !subject.includes(word) || names.includes(word));
  if (missing.length === 0) return true;
  // Other senders can have the same display name, also one whom the owner has answered.
  const sender = await knownSender(deps, message, context);
  if (sender === undefined) return false;
  return (await deps.peopleNamed(context, missing.join(" "))).includes(sender);
}

interface PeopleOfConversation {
  /** The last person who wrote, if they are verified and the owner has written to them by hand. */
  readonly author: readonly string[];
  /** Them, and everyone to whom the owner wrote by hand in this conversation. */
  readonly everyone: readonly string[];
}

export async function peopleOfConversation(
  deps: GmailDeps,
  { threadId, account }: { readonly threadId: string; readonly account: string },
  context: ToolContext,
): Promise<PeopleOfConversation> {
  const { messages = [] } = await readFromGoogle(deps, context, ({ gmail }, options) =>
    gmail.users.threads.get(
      { userId: "me", id: threadId, format: "metadata", metadataHeaders: headers },
      options,
    ),
  );
  const { addressParser } = await import("postal-mime");
  const isOwn = (message: Message) =>
    headerAddresses(headerOf(message, "From"), addressParser).some(({ address }) =>
      isAccount(address, account),
    );
  const sent = messages.filter(({ labelIds }) => labelIds?.includes("DRAFT") !== true);
  const last = sent.findLast((message) => !isOwn(message));
  const sender = last && (await knownSender(deps, last, context));
  const author = sender === undefined ? [] : [sender];
  const byHand = sent
    .filter(isByHand)
    .flatMap((message) =>
      headerAddresses(`${headerOf(message, "To")}, ${headerOf(message, "Cc")}`, addressParser),
    )
    .map(({ address }) => normalizeAddress(address))
    .filter((address) => !isAccount(address, account));
  return { author, everyone: [...new Set([...author, ...byHand])] };
}
