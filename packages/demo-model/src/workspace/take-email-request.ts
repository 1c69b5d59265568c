import { omitUndefined } from "@bron/protocol";
import { intent } from "../mail/intent-words.ts";
import type { MailTask, Recipients } from "../mail/mail-task.ts";
import type { Scratch } from "../mail/scratch.ts";
import { takeRecipients } from "../mail/take-recipients.ts";

/** An email with the result of a task, if the task asks for one. */
export interface EmailRequest {
  readonly outcome: MailTask["outcome"];
  readonly recipients: Recipients;
  readonly subject?: string;
}

const noRecipients: Recipients = { to: [], cc: [], bcc: [] };
export const noEmailRequest: EmailRequest = { outcome: "nothing", recipients: noRecipients };

/** Words that ask for the email and are not part of the question. */
const sendingWords =
  /(?:[,.;]?\s*(?:\b(?:and|then|und|dann|et|puis|please|bitte)\s+)*)(?:\b(?:send|e-?mail|mail|forward|draft|write|sende?n?|schicke?n?|maile?n?|schreibe?n?|entwirf|envoie[rs]?|envoyer|transmets|redige[rz]?|ecris)\b)(?:-(?:le|la|les))?(?:\s+(?:it|that|this|them|me|es|sie|das|mir|le|la|les|a (?:mail|summary|draft)|an? e-?mail|eine (?:e-?mail|mail|zusammenfassung)|einen entwurf|un (?:e-?mail|mail|resume|brouillon)|by mail|per mail|par mail|the summary|die zusammenfassung|le resume)\b)*/;

const inMail = /\b(?:in|as|als|dans)\s+(?:an?|einer?|eine|un|une)\s+(?:e-?mail|mail|courriel)\b/;

/**
 * Takes the words about an email out of the task. Must run before anything else is parsed. Without
 * an address the only possible recipient is "me", who sees the answer anyway.
 */
export function takeEmailRequest(scratch: Scratch, subject: string | undefined): EmailRequest {
  const sends = scratch.has(intent.sending);
  const drafts = scratch.has(intent.drafting);
  const isMailed = scratch.has(inMail);
  const isOnlyDraft = scratch.has(intent.notSending) || !sends;
  const isForMe = scratch.has(/\b(?:me|mir|moi)\b/) && !scratch.has(/@/);
  if ((!sends && !drafts && !isMailed) || isForMe) return noEmailRequest;
  const recipients = takeRecipients(scratch);
  scratch.take(inMail);
  scratch.take(sendingWords);
  return { outcome: isOnlyDraft ? "draft" : "send", recipients, ...omitUndefined({ subject }) };
}
