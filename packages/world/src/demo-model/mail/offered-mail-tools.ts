import { findTools, type KnownTool, type OfferedTools } from "../flow/known-tool.ts";
import type { FunctionDeclaration } from "../wire.ts";

export type MailToolRole =
  | "search"
  | "message"
  | "thread"
  | "attachment"
  | "document"
  | "fields"
  | "draft"
  | "sendDraft"
  | "send"
  | "reply";

/** Both vocabularies. */
const knownMailTools: Readonly<Record<MailToolRole, KnownTool>> = {
  search: { names: ["gmail_search"], takes: ["query"] },
  message: { names: ["gmail_message_read", "gmail_getMessage"], takes: ["messageId"] },
  thread: { names: ["gmail_thread_read"], takes: ["threadId"] },
  attachment: { names: ["gmail_attachment_get", "gmail_getAttachment"], takes: ["messageId"] },
  document: { names: ["document_read"], takes: ["digest"] },
  fields: { names: ["document_fields"], takes: ["fields"] },
  draft: {
    names: ["gmail_draft_create", "gmail_createDraft"],
    takes: ["to", "subject", "bodyText"],
  },
  sendDraft: { names: ["gmail_draft_send", "gmail_sendDraft"], takes: ["draftId"] },
  send: { names: ["gmail_send"], takes: ["to", "subject", "bodyText"] },
  reply: { names: ["gmail_reply"], takes: ["threadId", "bodyText"] },
};

/** Roles that write or send. */
export const changingMailRoles: ReadonlySet<string> = new Set<MailToolRole>([
  "draft",
  "sendDraft",
  "send",
  "reply",
]);

export type OfferedMailTools = OfferedTools<MailToolRole>;

export function findMailTools(declarations: readonly FunctionDeclaration[]): OfferedMailTools {
  return findTools(knownMailTools, declarations);
}

/** What a tool for this would be called. */
export function toolName(role: MailToolRole): string {
  return knownMailTools[role].names[0] ?? role;
}
