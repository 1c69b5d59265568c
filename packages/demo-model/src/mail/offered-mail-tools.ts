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

/** Bron's tool names come first, then alternative names. */
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

/** Roles whose tools write or send email. */
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

/** The usual name of the tool for a role. */
export function toolName(role: MailToolRole): string {
  return knownMailTools[role].names[0] ?? role;
}

/** The topics that the offered tools cover, for the demo model's introduction. */
export function mailTopics({ search, draft, reply }: OfferedMailTools): readonly string[] {
  return (search ?? draft ?? reply) === undefined ? [] : ["email"];
}
