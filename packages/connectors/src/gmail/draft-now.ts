import type { AccountReader, DraftAccess } from "@bron/core";
import { readFromGoogle } from "../google/call-google.ts";
import { ifFound } from "../google/if-found.ts";
import { isSameDraft } from "./draft-content.ts";
import { deleteDraft } from "./draft-effect.ts";
import { findSent } from "./find-by-mark.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { parseMime } from "./parse-mime.ts";
import { listed } from "./prepared-draft.ts";
import type { PreparedMail } from "./prepared-mail.ts";

/** What the mailbox has of a draft that was written as `mail`. */
async function readDraftNow(
  deps: GmailDeps,
  mail: PreparedMail,
  draftId: string,
  { ownerId, signal }: AccountReader,
): ReturnType<DraftAccess["read"]> {
  const caller = { ownerId, signal, account: mail.account };
  const draft = await ifFound(
    readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.drafts.get({ userId: "me", id: draftId, format: "raw" }, options),
    ),
  );
  if (!draft) {
    const sent = await findSent(deps, caller, mail);
    const { to, cc, subject, bodyText } = mail;
    return {
      draftId,
      state: sent ? "sent" : "deleted",
      isEdited: false,
      messageId: sent?.messageId ?? null,
      to,
      cc,
      subject,
      bodyText,
    };
  }
  const raw = draft.message?.raw ?? "";
  const now = await parseMime(Buffer.from(raw, "base64url"));
  return {
    draftId,
    state: "waiting",
    isEdited: !(await isSameDraft(raw, mail.raw)),
    messageId: draft.message?.id ?? null,
    to: listed(now.to),
    cc: listed(now.cc),
    subject: now.subject ?? "",
    bodyText: now.text ?? "",
  };
}

/** Deletes a draft because the owner asked for it. Repeating it changes nothing. */
async function discardDraft(
  deps: GmailDeps,
  { account }: PreparedMail,
  draftId: string,
  { ownerId, signal }: AccountReader,
): Promise<void> {
  await deleteDraft(deps, { ownerId, signal, account }, draftId);
}

/** For the tools that leave a draft in the mailbox. */
export function draftAccess(deps: GmailDeps): DraftAccess<PreparedMail> {
  return {
    read: (mail, draftId, reader) => readDraftNow(deps, mail, draftId, reader),
    discard: (mail, draftId, reader) => discardDraft(deps, mail, draftId, reader),
  };
}
