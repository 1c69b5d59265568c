import { sha256, type ToolContext } from "@bron/core";
import { BronError } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { z } from "zod";
import { formatAddress, parseAddress, type Address } from "../addresses.ts";
import type { KnownPerson } from "../google/known-people.ts";
import { composeMail } from "./compose-mail.ts";
import { yieldToEventLoop } from "../yield-to-event-loop.ts";
import { checkOneLine, isEncodedWord } from "../one-line.ts";
import { omitUndefined, spellOut, visible } from "@bron/protocol";

/** A mail in its final form. All of it is digested and approved. */
export interface PreparedMail extends JsonObject {
  /** The account that sends it. */
  account: string;
  /** The sender as recipients see it. For a mail that Bron wrote, this is the account. */
  from: string;
  /** Reply-To addresses, if they differ from the sender. */
  replyTo: string[];
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  bodyText: string;
  attachments: { filename: string; mediaType: string; sizeBytes: number; digest: string }[];
  /** The thread that it belongs to. Empty for a new thread. */
  threadId: string;
  /** Value of our header, by which the mail is found again. */
  mark: string;
  messageId: string;
  /** The message bytes, base64url. */
  raw: string;
  /**
   * Recipients whom the owner has emailed before. Always empty for a draft, which needs no lookup.
   */
  known: KnownPerson[];
  /** Warnings for the owner to read before approving. */
  warnings: string[];
}

export const mailFields = {
  to: z
    .array(z.string())
    .min(1)
    .describe("Recipients, each as name@example.com or Name <name@example.com>"),
  cc: z.array(z.string()).default([]),
  bcc: z.array(z.string()).default([]),
  subject: z.string().max(998).describe("One line"),
  bodyText: z.string().max(500_000).describe("The text, without HTML"),
  attachments: z
    .array(
      z.object({
        digest: z.string().describe("sha256:… of an artifact"),
        filename: z.string().min(1).max(200),
        mediaType: z.string().default("application/octet-stream"),
      }),
    )
    .max(20)
    .default([]),
};

export interface MailRequest {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly bodyText: string;
  readonly attachments: readonly {
    readonly digest: string;
    readonly filename: string;
    readonly mediaType: string;
  }[];
}

export interface MailEnvelope {
  readonly account: string;
  /** Sender and Reply-To as recipients see them, if they differ from the account. */
  readonly from?: string;
  readonly replyTo?: readonly string[];
  readonly threadId?: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  readonly warnings?: readonly string[];
}

const maxRecipients = 50;
const maxMailBytes = 25 * 1024 * 1024;

/** Throws invalid_arguments if no valid mail can be composed. */
export async function prepareMail(
  request: MailRequest,
  envelope: MailEnvelope,
  context: Pick<ToolContext, "readArtifact">,
  now: Date,
): Promise<PreparedMail> {
  const recipients = request.to.length + request.cc.length + request.bcc.length;
  if (recipients > maxRecipients)
    throw new BronError(
      "invalid_arguments",
      `Too many recipients (${recipients}; the limit is ${maxRecipients}).`,
    );
  const { account, from = account, replyTo = [] } = envelope;
  const [to, cc, bcc] = [
    request.to.map(parseAddress),
    request.cc.map(parseAddress),
    request.bcc.map(parseAddress),
  ];
  checkOneLine("The subject", request.subject);
  // Mail has only one kind of line break, so the preview uses one kind too.
  const bodyText = request.bodyText.replaceAll(/\r\n?/g, "\n");
  const files = await Promise.all(
    request.attachments.map((attachment) => readFile(attachment, context)),
  );
  const { raw, mark, messageId } = await composeMail(
    {
      from,
      replyTo: replyTo.map(parseAddress),
      to,
      cc,
      bcc,
      subject: request.subject,
      bodyText,
      attachments: files,
      ...omitUndefined({ inReplyTo: envelope.inReplyTo, references: envelope.references }),
    },
    now,
  );
  // The next steps on a large mail, its preview and the search for links, also take time.
  await yieldToEventLoop();
  if (Buffer.byteLength(raw, "base64url") > maxMailBytes)
    throw new BronError(
      "invalid_arguments",
      "This email is too large with its attachments. Gmail's limit is 25 MB.",
    );
  return {
    account,
    from,
    replyTo: [...replyTo],
    to: list(to),
    cc: list(cc),
    bcc: list(bcc),
    subject: request.subject,
    bodyText,
    attachments: files.map(({ filename, mediaType, bytes, digest }) => ({
      filename,
      mediaType,
      sizeBytes: bytes.length,
      digest,
    })),
    threadId: envelope.threadId ?? "",
    mark,
    messageId,
    raw,
    known: [],
    warnings: [...(envelope.warnings ?? [])],
  };
}

function list(addresses: readonly Address[]): string[] {
  return addresses.map(formatAddress);
}

async function readFile(
  { digest, filename: requestedName, mediaType }: MailRequest["attachments"][number],
  context: Pick<ToolContext, "readArtifact">,
) {
  checkOneLine("The file name", requestedName);
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType))
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(mediaType)} is not a media type such as application/pdf.`,
    );
  // Mail clients would show such a part as an embedded message instead of a file.
  if (/^(?:message|multipart)\//i.test(mediaType))
    throw new BronError(
      "invalid_arguments",
      `Files of type ${mediaType} can't be attached. Attach it as application/octet-stream instead.`,
    );
  // Keep a file name, not a path.
  const filename = requestedName.trim().replaceAll(/[/\\]/g, "_");
  if (filename === "" || isEncodedWord(filename))
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(requestedName)} is not a valid file name.`,
    );
  const bytes = await context.readArtifact(digest);
  if (!bytes || (await sha256(new Uint8Array(bytes))) !== digest)
    throw new BronError("invalid_arguments", `Artifact ${digest} not found.`);
  return { filename, mediaType, bytes, digest };
}

/**
 * The text that the owner reads before approving. It shows everything that will be sent and nothing
 * else.
 */
export function previewOf(mail: PreparedMail): string {
  const lines = [
    `From: ${mail.from}`,
    ...(mail.replyTo.length > 0 ? [`Replies go to: ${mail.replyTo.join(", ")}`] : []),
    `To: ${mail.to.join(", ")}`,
    ...(mail.cc.length > 0 ? [`Cc: ${mail.cc.join(", ")}`] : []),
    ...(mail.bcc.length > 0 ? [`Bcc: ${mail.bcc.join(", ")}`] : []),
    `Subject: ${mail.subject}`,
    ...mail.warnings.map((warning) => `Warning: ${warning}`),
    ...mail.attachments.map(
      ({ filename, sizeBytes, digest }) =>
        `Attachment: ${filename} (${sizeBytes} bytes, ${digest})`,
    ),
  ];
  return `${lines.map(spellOut).join("\n")}\n\n${visible(mail.bodyText)}`;
}
