import { omitUndefined } from "@bron/protocol";
import { mailDate } from "./gmail/outgoing.ts";

export interface MailInput {
  readonly from: string;
  readonly to: string | readonly string[];
  readonly cc?: string | readonly string[];
  readonly bcc?: string | readonly string[];
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly date?: Date;
  readonly messageId?: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Uint8Array;
  }[];
  /** Seeds the boundaries, so the bytes are deterministic. */
  readonly boundary?: string;
}

/** Returns the email as RFC 5322 bytes. */
export async function composeMail({ date, boundary, ...input }: MailInput): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const composer = new MailComposer({
    ...input,
    to: list(input.to),
    cc: list(input.cc),
    bcc: list(input.bcc),
    references: [...(input.references ?? [])],
    headers: { ...input.headers },
    attachments: (input.attachments ?? []).map((one) => ({
      ...one,
      content: Buffer.from(one.content),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "\r\n",
    ...omitUndefined({
      date: date === undefined ? undefined : mailDate(date),
      baseBoundary: boundary,
    }),
  });
  const node = composer.compile();
  node.keepBcc = true;
  return node.build();
}

const list = (addresses: string | readonly string[] | undefined) =>
  addresses === undefined ? [] : typeof addresses === "string" ? [addresses] : [...addresses];
