import PostalMime, { type Attachment, type Email } from "postal-mime";
import { failure, isFailure } from "../failure.ts";
import { writeHtml } from "../html/read-html.ts";
import type { Output } from "../output.ts";
import { headWarnings, writeHead } from "./mail-head.ts";
import { goDeeper, type Nesting } from "./nesting.ts";

export interface MailReading {
  readonly output: Output;
  readonly nesting: Nesting;
  /** Reads a file that was found in the mail. Throws a failure. */
  readonly readInner: (
    bytes: Uint8Array<ArrayBuffer>,
    claims: { name: string; mediaType: string },
    nesting: Nesting,
  ) => Promise<void>;
}

const maxListed = 100;
/** Of all parts together. */
const maxHeaderBytes = 2 * 1024 * 1024;
const maxPartDepth = 100;

/** The head, the body as its reader would see it, and each attachment, read like a file of its own. */
export async function readEml(
  bytes: Uint8Array,
  { output, nesting, readInner }: MailReading,
): Promise<void> {
  const mail = await parse(bytes);
  output.kind("eml");
  output.progress(0, mail.attachments.length);
  for (const warning of headWarnings(mail)) output.warn(warning);
  output.text(`${writeHead(mail)}\n\n`);
  // Whoever opens it sees the HTML, if there is any.
  if (mail.html) writeHtml(mail.html, output, { hasTitle: false });
  else output.text(mail.text?.trimEnd() ?? "");
  for (const [index, attachment] of mail.attachments.slice(0, maxListed).entries()) {
    await readAttachment(attachment, index, { output, nesting, readInner });
    output.progress(index + 1, mail.attachments.length);
  }
  if (mail.attachments.length > maxListed)
    output.warn(
      `It carries ${mail.attachments.length.toLocaleString("en")} files; only the first ${maxListed} are listed.`,
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
    throw failure(
      "invalid_input",
      "The mail cannot be read: its head is too long, or its parts lie too deep in each other.",
    );
  }
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

  async function problemOf(): Promise<string | undefined> {
    if (bytes.length === 0) return "It is empty.";
    if (/^winmail\.dat$/i.test(name) || /ms-tnef/.test(mimeType))
      return "It is a wrapping of Outlook's (winmail.dat), which is not read. Ask for the files by themselves.";
    const isImage = mimeType.startsWith("image/");
    if (isImage && attachment.related)
      return "It is a picture of the mail's own text, which is not read.";
    if (!output.hasRoom()) return "It was not read: there is no room left.";
    const deeper = goDeeper(nesting, { byteCount: bytes.length, isImage });
    if (typeof deeper === "string") return deeper;
    try {
      await readInner(bytes, { name, mediaType: mimeType }, deeper);
      return undefined;
    } catch (error) {
      return isFailure(error) ? error.message : "The parser failed.";
    }
  }
}

/** Without the signs that could make it look like something else. */
function nameOf({ filename, mimeType }: Attachment, index: number): string {
  const name = (filename ?? "").replace(/[\p{Cc}\p{Cf}]+/gu, "").trim();
  if (name !== "") return name;
  return `${mimeType === "message/rfc822" ? "mail" : "attachment"} ${index + 1}`;
}
