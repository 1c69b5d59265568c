import { BronError, sha256 } from "@bron/core";
import { randomUUID } from "node:crypto";
import type { Address as MimeAddress } from "postal-mime";
import { formatAddress, parseAddress } from "./addresses.ts";
import { markHeader } from "./compose-mail.ts";
import type { PreparedMail } from "./prepared-mail.ts";

/** What a draft would send: its own bytes, with our mark if it has none yet. */
export async function readPreparedDraft({ raw, threadId }: { raw: string; threadId: string }, account: string): Promise<PreparedMail> {
  const bytes = Buffer.from(raw, "base64url");
  const { default: PostalMime } = await import("postal-mime");
  const mail = await PostalMime.parse(bytes);
  const own = mail.headers.find(({ key }) => key === markHeader.toLowerCase())?.value;
  const mark = own ?? randomUUID();
  const marked = own === undefined ? Buffer.concat([Buffer.from(`${markHeader}: ${mark}\r\n`), bytes]).toString("base64url") : raw;
  const [to, cc, bcc] = [listed(mail.to), listed(mail.cc), listed(mail.bcc)];
  if (to.length + cc.length + bcc.length === 0) throw new BronError("invalid_arguments", "This draft has no recipient yet.");
  return {
    ...{ account, to, cc, bcc, subject: mail.subject ?? "", bodyText: (mail.text ?? mail.html ?? "").replace(/\n$/, "") },
    attachments: await Promise.all(
      mail.attachments.map(async ({ filename, mimeType, content }) => {
        const file = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
        return { filename: filename ?? "", mediaType: mimeType, sizeBytes: file.length, digest: await sha256(file) };
      }),
    ),
    // A draft that answers nothing has a conversation of its own, which goes with it.
    ...{ threadId: mail.inReplyTo || mail.references ? threadId : "", mark, messageId: mail.messageId ?? "", raw: marked },
  };
}

/** Groups are resolved: everybody who would get it is named. */
function listed(addresses: readonly MimeAddress[] | undefined): string[] {
  return (addresses ?? []).flatMap((one) => (one.group ?? [one]).map(({ name, address }) => formatAddress({ ...parseAddress(address ?? ""), name: name ?? "" })));
}
