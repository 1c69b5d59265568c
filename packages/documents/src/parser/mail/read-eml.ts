import type { FileFlaw } from "@bron/protocol";
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { failure, isFailure } from "../failure.ts";
import { writeHtml } from "../html/read-html.ts";
import type { Output } from "../output.ts";
import { headLines, headWarnings, writeHead } from "./mail-head.ts";
import { goDeeper, type Nesting } from "./nesting.ts";

export interface MailReading {
  readonly output: Output;
  readonly nesting: Nesting;
  /** Reads an attachment. Throws a failure. */
  readonly readInner: (
    bytes: Uint8Array<ArrayBuffer>,
    claims: { name: string; mediaType: string },
    nesting: Nesting,
  ) => Promise<void>;
  /** Writes the header line by line, and only lists the attachments. */
  readonly isPreview?: boolean;
}

const maxListed = 100;
/** Limit for all parts together. */
const maxHeaderBytes = 2 * 1024 * 1024;
const maxPartDepth = 100;

/**
 * Writes the header, the body as its reader would see it, and each attachment, read like a separate
 * file.
 */
export async function readEml(
  bytes: Uint8Array,
  { output, nesting, readInner, isPreview = false }: MailReading,
): Promise<void> {
  const mail = await parse(bytes);
  output.kind("eml");
  output.progress(0, mail.attachments.length);
  for (const warning of headWarnings(mail)) output.warn(warning);
  if (isPreview) for (const line of headLines(mail)) output.head(line);
  else output.text(`${writeHead(mail)}\n\n`);
  // Mail clients show the HTML version if there is one.
  if (mail.html) writeHtml(mail.html, output, { hasTitle: false });
  else output.text(mail.text?.trimEnd() ?? "");
  for (const [index, attachment] of mail.attachments.slice(0, maxListed).entries()) {
    if (isPreview) listAttachment(attachment, index, output);
    else await readAttachment(attachment, index, { output, nesting, readInner });
    output.progress(index + 1, mail.attachments.length);
  }
  if (mail.attachments.length > maxListed)
    output.warn(
      `The email has ${mail.attachments.length.toLocaleString("en")} attachments. Only the first ${maxListed} are listed.`,
    );
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
      maxHeadersSize: maxHeaderBytes,
      maxNestingDepth: maxPartDepth,
    });
  } catch {
    throw failure({ code: "email_too_complex" });
  }
}

function listAttachment(attachment: Attachment, index: number, output: Output): void {
  const { content, mimeType } = attachment;
  const byteCount = typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;
  output.open({ name: nameOf(attachment, index), mediaType: mimeType, byteCount });
  output.close();
}

async function readAttachment(
  attachment: Attachment,
  index: number,
  { output, nesting, readInner }: MailReading,
): Promise<void> {
  const { content, mimeType } = attachment;
  const bytes =
    typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const name = nameOf(attachment, index);
  output.open({ name, mediaType: mimeType, byteCount: bytes.length });
  output.close(await problemOf());

  async function problemOf(): Promise<string | FileFlaw | undefined> {
    if (bytes.length === 0) return "It is empty.";
    if (/^winmail\.dat$/i.test(name) || /ms-tnef/.test(mimeType))
      return "It is an Outlook container (winmail.dat), which can't be read. Ask for the original files.";
    const isImage = mimeType.startsWith("image/");
    if (isImage && attachment.related)
      return "It is an inline image of the email, which is not read.";
    if (!output.hasRoom()) return "It was not read: the text limit was reached.";
    const deeper = goDeeper(nesting, { byteCount: bytes.length, isImage });
    if (typeof deeper === "string") return deeper;
    try {
      await readInner(bytes, { name, mediaType: mimeType }, deeper);
      return undefined;
    } catch (error) {
      return isFailure(error) ? error.flaw : { code: "parser_failed" };
    }
  }
}

/** Removes characters that could make the name look like something else. */
function nameOf({ filename, mimeType }: Attachment, index: number): string {
  const name = (filename ?? "").replace(/[\p{Cc}\p{Cf}]+/gu, "").trim();
  if (name !== "") return name;
  return `${mimeType === "message/rfc822" ? "mail" : "attachment"} ${index + 1}`;
}
