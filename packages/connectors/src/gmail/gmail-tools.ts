import type { Tool } from "@bron/core";
import type { GmailDeps } from "./gmail-deps.ts";
import { attachmentTool } from "./tools/attachment.ts";
import { draftCreateTool, draftUpdateTool } from "./tools/drafts.ts";
import { forwardTool } from "./tools/forward.ts";
import { messageReadTool, threadReadTool } from "./tools/read.ts";
import { searchTool } from "./tools/search.ts";
import { replyTool, sendDraftTool, sendTool } from "./tools/send.ts";

const tools = {
  gmail_search: searchTool,
  gmail_thread_read: threadReadTool,
  gmail_message_read: messageReadTool,
  gmail_attachment_get: attachmentTool,
  gmail_draft_create: draftCreateTool,
  gmail_draft_update: draftUpdateTool,
  gmail_reply: replyTool,
  gmail_forward: forwardTool,
  gmail_send: sendTool,
  gmail_draft_send: sendDraftTool,
} as const satisfies Record<string, (deps: GmailDeps, name: string) => Tool>;

/**
 * The tool names of the PRD, for the same tools. A model is offered one of the two vocabularies.
 */
const aliases: Readonly<Record<string, keyof typeof tools>> = {
  gmail_getMessage: "gmail_message_read",
  gmail_getAttachment: "gmail_attachment_get",
  gmail_createDraft: "gmail_draft_create",
  gmail_sendDraft: "gmail_draft_send",
};

export type Vocabulary = "runtime" | "prd";

export function gmailTools(deps: GmailDeps, vocabulary: Vocabulary = "runtime"): Tool[] {
  const allTools = Object.entries(tools).map(([name, create]) => create(deps, name));
  if (vocabulary === "runtime") return allTools;
  return [
    tools.gmail_search(deps, "gmail_search"),
    ...Object.entries(aliases).map(([name, target]) => tools[target](deps, name)),
  ];
}
