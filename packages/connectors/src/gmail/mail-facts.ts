import { contentValues, type EffectFacts } from "@bron/core";
import type { Caller } from "../google/call-google.ts";
import { toRecipient } from "../google/known-people.ts";
import { draftThings, type DraftOrigin } from "./draft-origin.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import type { PreparedMail } from "./prepared-mail.ts";

/** The same for a draft that is sent or replaced. The owner's words must mention it. */
export function draftFacts(
  mail: PreparedMail & { readonly draftId: string; readonly draftOrigin?: DraftOrigin },
): EffectFacts {
  return { ...mailFacts(mail), things: draftThings(mail, mail), isDraft: mail.draftId !== "" };
}

/** Recipients, linked hosts and attachments of a prepared mail, for the policy. */
export function mailFacts({
  account,
  to,
  cc,
  bcc,
  replyTo,
  subject,
  bodyText,
  attachments,
  known,
  warnings,
}: PreparedMail): EffectFacts {
  const people = [...to, ...cc, ...bcc, ...replyTo];
  const toRecipients = (role: "to" | "cc" | "bcc" | "reply-to", list: readonly string[]) =>
    list.map((address) => toRecipient(address, role, known));
  return {
    kind: "mail",
    account,
    recipients: [
      ...toRecipients("to", to),
      ...toRecipients("cc", cc),
      ...toRecipients("bcc", bcc),
      ...toRecipients("reply-to", replyTo),
    ],
    ...contentValues([subject, bodyText, ...people].join("\n")),
    text: bodyText,
    titles: [subject],
    // The model chooses the names of recipients, too.
    otherTexts: people,
    attachments: attachments.map(({ filename, digest }) => ({ filename, digest })),
    warnings,
  };
}

/**
 * Adds which recipients the owner has emailed before. Call it right before the policy judges the
 * mail.
 */
export async function withKnownPeople<Mail extends PreparedMail>(
  { knownPeople }: Pick<GmailDeps, "knownPeople">,
  caller: Caller,
  mail: Mail,
): Promise<Mail> {
  return {
    ...mail,
    known: await knownPeople(caller, [...mail.to, ...mail.cc, ...mail.bcc, ...mail.replyTo]),
  };
}
