import { defineTool, type MentionQuery, type Tool, type ToolContext } from "@bron/core";
import { z } from "zod";
import { copyMail } from "../copied-mail.ts";
import { findMails } from "../find-conversation.ts";
import { findMailMention } from "../find-mention.ts";
import type { GmailDeps } from "../gmail-deps.ts";
import {
  forwardEditing,
  forwardFacts,
  prepareForward,
  type PreparedForward,
} from "../prepared-forward.ts";
import { mailFields } from "../prepared-mail.ts";
import { reconcileSend, send } from "../send-effect.ts";
import { accountOf } from "./drafts.ts";

export function forwardTool(deps: GmailDeps, name: string): Tool {
  const { to, cc, bcc } = mailFields;
  return defineTool({
    name,
    description:
      "Forwards a message of the user's mail as it is, with its attachments. Bron copies it; write only an optional note above it. The user sees exactly what will be sent, and approves or denies it.",
    input: z.object({
      messageId: z.string().min(1),
      to,
      cc,
      bcc,
      note: z.string().max(20_000).default("").describe("A text of your own above the copy"),
    }),
    group: "gmail",
    sideEffect: true,
    effectKind: "forward",
    label: "trusted",
    facts: forwardFacts,
    findMention: (query, mail: PreparedForward, context) =>
      findForForward(deps, query, mail, context),
    timeoutMs: deps.times.sendMs,
    async prepare({ messageId, ...request }, context) {
      const account = await accountOf(deps, context);
      return await prepareForward(
        deps,
        { account, forwardedId: messageId, ...request },
        await copyMail(deps, messageId, context),
        context,
      );
    },
    editing: forwardEditing(deps),
    execute: (mail: PreparedForward, context) => send(deps, mail, context),
    reconcile: (mail, context) => reconcileSend(deps, mail, context),
  });
}

/** A mail is known by its id, by its subject and sender, or as the newest one. */
async function findForForward(
  deps: GmailDeps,
  query: MentionQuery,
  mail: PreparedForward,
  context: ToolContext,
): Promise<readonly string[]> {
  if (!("kind" in query)) return await findMailMention(deps, query, mail, context);
  if (query.kind !== "mail") return [];
  return query.words.trim() === mail.forwardedId
    ? [mail.forwardedId]
    : await findMails(deps, query.words, context);
}
