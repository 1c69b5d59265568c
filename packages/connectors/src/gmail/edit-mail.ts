import { omitUndefined } from "@bron/protocol";
import { BronError, sha256, type ToolContext } from "@bron/core";
import { z } from "zod";
import type { GmailDeps } from "./gmail-deps.ts";
import { withKnownPeople } from "./mail-facts.ts";
import { parseMime } from "./parse-mime.ts";
import { threadOfDraft } from "./prepared-draft.ts";
import { mailFields, prepareMail, previewOf } from "./prepared-mail.ts";
import type { PreparedSend } from "./send-effect.ts";

const { subject, bodyText } = mailFields;
const people = z.array(z.string());

/** The fields that the owner may edit before the mail is sent. */
const mailChanges = z
  .strictObject({ to: people, cc: people, bcc: people, subject, bodyText })
  .partial();

/**
 * Composes the mail again with the same files in the same thread. The draft that serves as its
 * handle is not changed.
 */
async function editMail(
  deps: GmailDeps,
  mail: PreparedSend,
  changes: z.infer<typeof mailChanges>,
  context: ToolContext,
): Promise<{ prepared: PreparedSend; preview: string }> {
  const {
    to = mail.to,
    cc = mail.cc,
    bcc = mail.bcc,
    subject: title = mail.subject,
    bodyText: text = mail.bodyText,
  } = changes;
  const request = { to, cc, bcc, subject: title, bodyText: text, attachments: mail.attachments };
  if (to.length + cc.length + bcc.length === 0)
    throw new BronError("invalid_arguments", "Add at least one recipient.");
  const { inReplyTo, references } = await threadOfDraft(mail);
  const envelope = {
    account: mail.account,
    from: mail.from,
    replyTo: mail.replyTo,
    threadId: mail.threadId,
    warnings: mail.warnings,
    ...omitUndefined({ inReplyTo, references }),
  };
  const edited = await prepareMail(
    request,
    envelope,
    await filesOf(mail),
    new Date(deps.clock.now()),
  );
  const withContacts = await withKnownPeople(
    deps,
    { ...context, account: mail.account },
    {
      ...edited,
      draftId: mail.draftId,
      draftDigest: mail.draftDigest,
      ...omitUndefined({ draftOrigin: mail.draftOrigin }),
    },
  );
  return { prepared: withContacts, preview: previewOf(withContacts) };
}

/**
 * Reads the attachments from the bytes that the owner saw. A draft that the owner wrote in Gmail
 * has files that were never saved as artifacts.
 */
export async function filesOf({
  raw,
}: Pick<PreparedSend, "raw">): Promise<Pick<ToolContext, "readArtifact">> {
  const { attachments } = await parseMime(Buffer.from(raw, "base64url"));
  const files = new Map<string, Uint8Array>();
  for (const { content } of attachments) {
    const bytes =
      typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
    files.set(await sha256(bytes), bytes);
  }
  return { readArtifact: (digest) => Promise.resolve(files.get(digest)) };
}

export function mailEditing(deps: GmailDeps) {
  return {
    fields: mailChanges,
    valuesOf: ({ to, cc, bcc, subject: title, bodyText: text }: PreparedSend) => ({
      to,
      cc,
      bcc,
      subject: title,
      bodyText: text,
    }),
    edit: (mail: PreparedSend, changes: z.infer<typeof mailChanges>, context: ToolContext) =>
      editMail(deps, mail, changes, context),
  };
}
