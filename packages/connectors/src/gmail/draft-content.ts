import { sha256 } from "@bron/core";
import { parseMime } from "./parse-mime.ts";
import { listed } from "./prepared-draft.ts";

/**
 * Whether two drafts (base64url) have the same content. A mailbox may save a draft again with other
 * headers and line endings, so the bytes may differ.
 */
export async function isSameDraft(one: string, other: string): Promise<boolean> {
  return one === other || (await contentDigest(one)) === (await contentDigest(other));
}

/** A digest of all that a recipient would see. */
async function contentDigest(raw: string): Promise<string> {
  const mail = await parseMime(Buffer.from(raw, "base64url"));
  const attachments = await Promise.all(
    mail.attachments.map(async ({ filename, mimeType, content }) => {
      const bytes =
        typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
      return [filename ?? "", mimeType, await sha256(bytes)];
    }),
  );
  return await sha256(
    new TextEncoder().encode(
      JSON.stringify({
        to: listed(mail.to),
        cc: listed(mail.cc),
        bcc: listed(mail.bcc),
        replyTo: listed(mail.replyTo),
        subject: mail.subject ?? "",
        text: plainLines(mail.text),
        html: plainLines(mail.html),
        attachments,
      }),
    ),
  );
}

function plainLines(text: string | undefined): string {
  return (text ?? "").replaceAll("\r\n", "\n").trimEnd();
}
