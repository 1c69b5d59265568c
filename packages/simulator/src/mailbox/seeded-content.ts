import { omitUndefined } from "@bron/protocol";
import { composeMail } from "../google/compose-mail.ts";
import type { MailFacts } from "../google/mime/mail-facts.ts";
import { parseMime } from "../google/mime/parse-mime.ts";
import { createSearchDocument } from "../google/search/search-document.ts";
import { once, type MailContent } from "../google/state/mail-content.ts";
import type { Attachment } from "./attachments/attachment.ts";
import type { Person } from "./company.ts";

interface SeededMessage {
  readonly from: Person;
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments: readonly Attachment[];
  readonly headers: Readonly<Record<string, string>>;
  readonly date: Date;
  /** Without angle brackets, as in `references`. */
  readonly messageId: string;
  readonly references: readonly string[];
}

/** Larger messages are not cached and composed again for every read. */
const maxKeptBytes = 2_000_000;

/** Searches and lists use the plan. The bytes of a message are composed when it is read. */
export function seededContent(message: SeededMessage): MailContent {
  const attachmentBytes = message.attachments.reduce(
    (sum, { bytes }) => sum + Math.ceil(bytes * 1.37),
    0,
  );
  const sizeBytes =
    900 + Buffer.byteLength(message.text) + Buffer.byteLength(message.html ?? "") + attachmentBytes;
  const keep = sizeBytes <= maxKeptBytes;
  const compose = async () =>
    composeSeeded(message, await Promise.all(message.attachments.map(async ({ make }) => make())));
  const outline = once(async () =>
    parseMime(
      await composeSeeded(
        message,
        message.attachments.map(() => new Uint8Array()),
      ),
    ),
  );
  const facts = once(() => seededFacts(message));
  return {
    sizeBytes,
    facts,
    document: once(() => createSearchDocument(facts())),
    outline,
    raw: keep ? once(compose) : compose,
  };
}

const person = ({ name, address }: Person) => ({ name, address });
const written = ({ name, address }: Person) => `"${name}" <${address}>`;

function seededFacts(message: SeededMessage): MailFacts {
  return {
    from: [person(message.from)],
    to: message.to.map(person),
    cc: message.cc.map(person),
    bcc: [],
    subject: message.subject,
    text: message.text,
    attachmentNames: message.attachments.map(({ filename }) => filename),
    messageId: message.messageId,
    references: message.references,
    deliveredTo: message.to.concat(message.cc).map(({ address }) => address),
    listId: message.headers["List-Id"] ?? "",
  };
}

function composeSeeded(message: SeededMessage, contents: readonly Uint8Array[]): Promise<Buffer> {
  const { attachments, references } = message;
  return composeMail({
    from: written(message.from),
    to: message.to.map(written),
    cc: message.cc.map(written),
    subject: message.subject,
    text: message.text,
    date: message.date,
    messageId: `<${message.messageId}>`,
    references: references.map((id) => `<${id}>`),
    headers: message.headers,
    boundary: message.messageId.replace(/\W.*$/, ""),
    attachments: attachments.map(({ filename, contentType }, at) => ({
      filename,
      contentType,
      content: contents[at] ?? new Uint8Array(),
    })),
    ...(references.length === 0 ? {} : { inReplyTo: `<${references.at(-1) ?? ""}>` }),
    ...omitUndefined({ html: message.html }),
  });
}
