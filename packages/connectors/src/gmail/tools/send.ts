import {
  actionFailure,
  BronError,
  defineTool,
  normalizeAddress,
  type AccountReader,
  type FileQuery,
  type MentionQuery,
  type Tool,
  type ToolContext,
} from "@bron/core";
import { z } from "zod";
import type { GmailDeps } from "../gmail-deps.ts";
import { readDraft } from "../draft-effect.ts";
import { readOrigin } from "../draft-origin.ts";
import { readAnswered } from "../read-answered.ts";
import { findFiles } from "../find-files.ts";
import { findMailMention } from "../find-mention.ts";
import { mailEditing } from "../edit-mail.ts";
import { draftFacts, mailFacts, withKnownPeople } from "../mail-facts.ts";
import { mailFields, prepareMail, previewOf, type PreparedMail } from "../prepared-mail.ts";
import { resolveReply } from "../resolve-reply.ts";
import { digestOf, reconcileSend, send, type PreparedSend } from "../send-effect.ts";
import { readPreparedDraft } from "../prepared-draft.ts";
import { accountOf } from "./drafts.ts";

const common = { group: "gmail", sideEffect: true, label: "trusted", facts: mailFacts } as const;

const wordsOf = (deps: GmailDeps) => ({
  findMention: (query: MentionQuery, mail: PreparedSend, context: ToolContext) =>
    findMailMention(deps, query, mail, context),
  findFiles: (query: FileQuery, mail: PreparedSend, context: ToolContext) =>
    findFiles(deps, query, mail, context),
  background: (mail: PreparedSend, reader: AccountReader) => readAnswered(deps, mail, reader),
});

export function sendDraftTool(deps: GmailDeps, name: string): Tool {
  return defineTool({
    ...common,
    ...wordsOf(deps),
    effectKind: "send_mail",
    facts: draftFacts,
    timeoutMs: deps.times.sendMs,
    name,
    description:
      "Sends a draft from the user's mailbox as it is. The user sees exactly what will be sent, and approves or denies it.",
    input: z.object({ draftId: z.string().min(1) }),
    async prepare({ draftId }, context) {
      const draft = await readDraft(deps, context, draftId);
      if (!draft) throw actionFailure("not_found", { code: "draft_missing", draftId });
      const read = await readPreparedDraft(draft, await accountOf(deps, context));
      const mail = await withKnownPeople(deps, context, {
        ...read,
        warnings: await warningsFor(deps, context, read),
      });
      const { subject, bodyText, to, cc, bcc, replyTo } = mail;
      const { origin: draftOrigin, reads } = await readOrigin(
        { draftId, isMarked: read.raw === draft.raw },
        { subject, bodyText, to, cc, bcc, replyTo },
        context,
      );
      return {
        prepared: { ...mail, draftId, draftDigest: await digestOf(draft.raw), draftOrigin },
        preview: previewOf(mail),
        reads,
      };
    },
    editing: mailEditing(deps),
    execute: (mail: PreparedSend, context) => send(deps, mail, context),
    reconcile: (mail, context) => reconcileSend(deps, mail, context),
  });
}

export function sendTool(deps: GmailDeps, name: string): Tool {
  return defineTool({
    ...common,
    ...wordsOf(deps),
    effectKind: "send_mail",
    timeoutMs: deps.times.sendMs,
    name,
    description:
      "Sends a new email. The user sees exactly what will be sent, and approves or denies it.",
    input: z.object(mailFields),
    async prepare(request, context) {
      const mail = await withKnownPeople(
        deps,
        context,
        await prepareMail(
          request,
          { account: await accountOf(deps, context) },
          context,
          new Date(deps.clock.now()),
        ),
      );
      return { prepared: { ...mail, draftId: "", draftDigest: "" }, preview: previewOf(mail) };
    },
    editing: mailEditing(deps),
    execute: (mail: PreparedSend, context) => send(deps, mail, context),
    reconcile: (mail, context) => reconcileSend(deps, mail, context),
  });
}

export function replyTool(deps: GmailDeps, name: string): Tool {
  const { bodyText, attachments } = mailFields;
  return defineTool({
    ...common,
    ...wordsOf(deps),
    // Its subject is that of the conversation.
    facts: (mail: PreparedSend) => ({
      ...mailFacts(mail),
      titles: [],
      otherTexts: [mail.subject, ...mail.to, ...mail.cc, ...mail.bcc],
    }),
    effectKind: "reply",
    timeoutMs: deps.times.sendMs,
    name,
    description:
      "Replies in a thread of the user's mail. The user sees exactly what will be sent and to whom, and approves or denies it.",
    input: z.object({
      threadId: z.string().min(1),
      everyone: z.boolean().default(false).describe("Reply to all"),
      bodyText,
      attachments,
    }),
    async prepare({ threadId, everyone, ...request }, context) {
      const { envelope, to, cc, subject, reads } = await resolveReply(deps, context, {
        account: await accountOf(deps, context),
        threadId,
        everyone,
      });
      if (to.length === 0)
        throw new BronError(
          "invalid_arguments",
          "There's no one to reply to in this thread. Use gmail_send with a recipient.",
        );
      const mail = await withKnownPeople(
        deps,
        context,
        await prepareMail(
          { ...request, to, cc, bcc: [], subject },
          envelope,
          context,
          new Date(deps.clock.now()),
        ),
      );
      return {
        prepared: { ...mail, draftId: "", draftDigest: "" },
        preview: previewOf(mail),
        reads,
      };
    },
    editing: mailEditing(deps),
    execute: (mail: PreparedSend, context) => send(deps, mail, context),
    reconcile: (mail, context) => reconcileSend(deps, mail, context),
  });
}

/** A draft that is a reply gets the same warnings as any reply. */
async function warningsFor(
  deps: GmailDeps,
  context: ToolContext,
  { account, threadId, to, cc, bcc }: PreparedMail,
): Promise<string[]> {
  if (threadId === "") return [];
  const { envelope, to: asked } = await resolveReply(deps, context, {
    account,
    threadId,
    everyone: false,
  });
  const recipients = [...to, ...cc, ...bcc].map(normalizeAddress);
  return asked.some((address) => recipients.includes(normalizeAddress(address)))
    ? [...(envelope.warnings ?? [])]
    : [];
}
