import {
  isCommonWord,
  readFileMention,
  sha256,
  wordsBesideName,
  type FileQuery,
  type FoundFile,
  type ToolContext,
} from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import { readFromGoogle } from "../google/call-google.ts";
import { ifFound } from "../google/if-found.ts";
import { markHeader } from "./compose-mail.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { knownSender, verifiedSender } from "./known-sender.ts";
import type { PreparedMail } from "./prepared-mail.ts";
import { attachmentsOf, headerOf, type AttachmentView } from "./read-mail.ts";

type Message = gmail_v1.Schema$Message;

const maxMessages = 20;
const maxFiles = 8;
const fields =
  "id,labelIds,payload(headers,filename,mimeType,body(attachmentId,size),parts(filename,mimeType,body(attachmentId,size),parts(filename,mimeType,body(attachmentId,size),parts(filename,mimeType,body(attachmentId,size)))))";

interface Candidate {
  readonly message: Message;
  readonly file: AttachmentView;
  /** Words of the mention that must name the sender. */
  readonly senderWords: readonly string[];
}

/**
 * Finds the files in the account that a mention could mean, by Gmail's search and by headers. Copies
 * in mail that Bron sent do not count, because a model chose them. Returns none if there are too many.
 */
export async function findFiles(
  deps: GmailDeps,
  query: FileQuery,
  { attachments }: Pick<PreparedMail, "attachments">,
  context: ToolContext,
): Promise<readonly FoundFile[]> {
  const wanted = readFileMention(query.words);
  if (attachments.length === 0 || (wanted.name === undefined && wanted.words.length === 0))
    return [];
  const terms =
    wanted.name === undefined
      ? wanted.words.map((word) => `{filename:${word} from:${word}}`)
      : [`filename:"${wanted.name}"`];
  const { messages = [], nextPageToken } = await readFromGoogle(
    deps,
    context,
    ({ gmail }, options) =>
      gmail.users.messages.list(
        {
          userId: "me",
          q: ["has:attachment", "-in:draft", ...terms].join(" "),
          maxResults: maxMessages,
        },
        options,
      ),
  );
  if (messages.length >= maxMessages || nextPageToken) return [];
  const read = await Promise.all(
    messages.map(({ id }) =>
      ifFound(
        readFromGoogle(deps, context, ({ gmail }, options) =>
          gmail.users.messages.get({ userId: "me", id: id ?? "", format: "full", fields }, options),
        ),
      ),
    ),
  );
  const names = wanted.name === undefined ? await namesIn(deps, wanted.words, query, context) : [];
  const candidates = read
    .filter((message) => message !== undefined)
    .filter((message) => headerOf(message, markHeader) === "")
    .filter(({ labelIds }) => labelIds?.includes("DRAFT") !== true)
    .flatMap((message) =>
      attachmentsOf(message.payload).flatMap((file): Candidate[] => {
        const senderWords = wordsBesideName(wanted, file.filename);
        return senderWords
          ? [{ message, file, senderWords: [...new Set([...senderWords, ...names])] }]
          : [];
      }),
    );
  if (candidates.length > maxFiles) return [];
  const sizes = new Set(attachments.map(({ sizeBytes }) => sizeBytes));
  const found = await Promise.all(
    candidates.map(async (candidate) => await describe(deps, candidate, { query, sizes }, context)),
  );
  return found.flat();
}

/** The words by which the owner calls people. Anyone can write them into the name of a file. */
async function namesIn(
  { peopleNamed }: GmailDeps,
  words: readonly string[],
  { contactsCalled }: FileQuery,
  context: ToolContext,
): Promise<readonly string[]> {
  const others = words.filter((word) => !isCommonWord(word));
  const people = await Promise.all(
    others.map(async (word) => [...contactsCalled(word), ...(await peopleNamed(context, word))]),
  );
  return others.filter((_, index) => people[index]?.length);
}

async function describe(
  deps: GmailDeps,
  { message, file, senderWords }: Candidate,
  { query, sizes }: { readonly query: FileQuery; readonly sizes: ReadonlySet<number> },
  context: ToolContext,
): Promise<FoundFile[]> {
  const isOwn = message.labelIds?.includes("SENT") === true;
  const sender = isOwn ? undefined : await trustedSender(deps, message, query, context);
  if (senderWords.length > 0) {
    const name = senderWords.join(" ");
    const named = [...query.contactsCalled(name), ...(await deps.peopleNamed(context, name))];
    if (sender === undefined || !named.includes(sender)) return [];
  }
  return [
    {
      digest: await digestOf(deps, { message, file }, sizes, context),
      filename: file.filename,
      from: isOwn ? "you" : headerOf(message, "From"),
      isTrusted: isOwn || sender !== undefined,
    },
  ];
}

/** The sender, if verified, and if a trusted contact or someone to whom the owner has written. */
async function trustedSender(
  deps: GmailDeps,
  message: Message,
  { isContact }: FileQuery,
  context: ToolContext,
): Promise<string | undefined> {
  const sender = await verifiedSender(message);
  return sender !== undefined && isContact(sender)
    ? sender
    : await knownSender(deps, message, context);
}

/** Only a file of the size of one that would leave can be it. The others get an id of their own. */
async function digestOf(
  deps: GmailDeps,
  { message, file }: Pick<Candidate, "message" | "file">,
  sizes: ReadonlySet<number>,
  context: ToolContext,
): Promise<string> {
  const other = `other ${message.id} ${file.attachmentId}`;
  if (!sizes.has(file.sizeBytes)) return other;
  const content = await ifFound(
    readFromGoogle(deps, context, ({ gmail }, options) =>
      gmail.users.messages.attachments.get(
        { userId: "me", messageId: message.id ?? "", id: file.attachmentId },
        options,
      ),
    ),
  );
  return content
    ? await sha256(new Uint8Array(Buffer.from(content.data ?? "", "base64url")))
    : other;
}
