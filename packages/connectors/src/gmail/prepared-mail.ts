import { sha256, type ToolContext } from "@bron/core";
import { BronError } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { z } from "zod";
import { formatAddress, parseAddress, type Address } from "../addresses.ts";
import type { KnownPerson } from "../google/known-people.ts";
import { composeMail } from "./compose-mail.ts";
import { letOthersRun } from "../let-others-run.ts";
import { checkOneLine, isEncodedWord } from "../one-line.ts";
import { omitUndefined, spellOut, visible } from "@bron/protocol";

/** A mail in its final form: all of it is digested and approved. */
export interface PreparedMail extends JsonObject {
  /** The account that it leaves from. */
  account: string;
  /** As recipients see it; for a mail of ours the account. */
  from: string;
  /** Where answers would go, if that is elsewhere. */
  replyTo: string[];
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  bodyText: string;
  attachments: { filename: string; mediaType: string; sizeBytes: number; digest: string }[];
  /** The thread that it joins; empty for a new one. */
  threadId: string;
  /** Found again by this. */
  mark: string;
  messageId: string;
  /** The bytes, base64url. */
  raw: string;
  /** Those of the recipients whom the owner has written to before; nobody is looked up for a draft. */
  known: KnownPerson[];
  /** What a person should know before it leaves. */
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

export interface MailWish {
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

export interface MailPlace {
  readonly account: string;
  /** As recipients see it, and where answers go, if that is not the account. */
  readonly from?: string;
  readonly replyTo?: readonly string[];
  readonly threadId?: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  readonly warnings?: readonly string[];
}

const maxRecipients = 50;
const maxMailBytes = 25 * 1024 * 1024;

/** Throws invalid_arguments for what cannot be a mail. */
export async function prepareMail(
  wish: MailWish,
  place: MailPlace,
  context: Pick<ToolContext, "readArtifact">,
  now: Date,
): Promise<PreparedMail> {
  const recipients = wish.to.length + wish.cc.length + wish.bcc.length;
  if (recipients > maxRecipients)
    throw new BronError(
      "invalid_arguments",
      `${recipients} recipients are more than the ${maxRecipients} of one mail.`,
    );
  const { account, from = account, replyTo = [] } = place;
  const [to, cc, bcc] = [
    wish.to.map(parseAddress),
    wish.cc.map(parseAddress),
    wish.bcc.map(parseAddress),
  ];
  checkOneLine("The subject", wish.subject);
  // Mail knows one kind of line break: what is shown has it too.
  const bodyText = wish.bodyText.replaceAll(/\r\n?/g, "\n");
  const files = await Promise.all(
    wish.attachments.map((attachment) => readFile(attachment, context)),
  );
  const { raw, mark, messageId } = await composeMail(
    {
      from,
      replyTo: replyTo.map(parseAddress),
      to,
      cc,
      bcc,
      subject: wish.subject,
      bodyText,
      attachments: files,
      ...omitUndefined({ inReplyTo: place.inReplyTo, references: place.references }),
    },
    now,
  );
  // The next steps on a large mail, its preview and the look for links, take their time as well.
  await letOthersRun();
  if (Buffer.byteLength(raw, "base64url") > maxMailBytes)
    throw new BronError(
      "invalid_arguments",
      "With its attachments the mail is larger than Gmail takes (25 MB).",
    );
  return {
    account,
    from,
    replyTo: [...replyTo],
    to: list(to),
    cc: list(cc),
    bcc: list(bcc),
    subject: wish.subject,
    bodyText,
    attachments: files.map(({ filename, mediaType, bytes, digest }) => ({
      filename,
      mediaType,
      sizeBytes: bytes.length,
      digest,
    })),
    threadId: place.threadId ?? "",
    mark,
    messageId,
    raw,
    known: [],
    warnings: [...(place.warnings ?? [])],
  };
}

function list(addresses: readonly Address[]): string[] {
  return addresses.map(formatAddress);
}

async function readFile(
  { digest, filename: wished, mediaType }: MailWish["attachments"][number],
  context: Pick<ToolContext, "readArtifact">,
) {
  checkOneLine("The file name", wished);
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType))
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(mediaType)} is not a media type such as application/pdf.`,
    );
  // Whoever reads the mail takes such parts for mail of their own, and shows them as something else than a file.
  if (/^(?:message|multipart)\//i.test(mediaType))
    throw new BronError(
      "invalid_arguments",
      `A file of the type ${mediaType} cannot be attached: attach it as application/octet-stream.`,
    );
  // A name, not a path on somebody's machine.
  const filename = wished.trim().replaceAll(/[/\\]/g, "_");
  if (filename === "" || isEncodedWord(filename))
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(wished)} is not the name of a file.`,
    );
  const bytes = await context.readArtifact(digest);
  if (!bytes || (await sha256(new Uint8Array(bytes))) !== digest)
    throw new BronError("invalid_arguments", `There is no artifact ${digest}.`);
  return { filename, mediaType, bytes, digest };
}

/** What a person reads before they decide: everything that leaves, and nothing else. */
export function previewOf(mail: PreparedMail): string {
  const lines = [
    `From: ${mail.from}`,
    ...(mail.replyTo.length > 0 ? [`Answers go to: ${mail.replyTo.join(", ")}`] : []),
    `To: ${mail.to.join(", ")}`,
    ...(mail.cc.length > 0 ? [`Cc: ${mail.cc.join(", ")}`] : []),
    ...(mail.bcc.length > 0 ? [`Bcc: ${mail.bcc.join(", ")}`] : []),
    `Subject: ${mail.subject}`,
    ...mail.warnings.map((warning) => `Beware: ${warning}`),
    ...mail.attachments.map(
      ({ filename, sizeBytes, digest }) =>
        `Attachment: ${filename} (${sizeBytes} bytes, ${digest})`,
    ),
  ];
  return `${lines.map(spellOut).join("\n")}\n\n${visible(mail.bodyText)}`;
}
