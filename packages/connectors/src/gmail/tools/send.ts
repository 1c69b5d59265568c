import { BronError, defineTool, normaliseAddress, type Tool, type ToolContext } from "@bron/core";
import { z } from "zod";
import type { GmailDeps } from "../gmail-deps.ts";
import { readDraft } from "../draft-effect.ts";
import { mailEditing } from "../edit-mail.ts";
import { mailFacts, withKnown } from "../mail-facts.ts";
import { mailFields, prepareMail, previewOf, type PreparedMail } from "../prepared-mail.ts";
import { placeInThread } from "../reply-place.ts";
import { digestOf, reconcileSend, send, type PreparedSend } from "../send-effect.ts";
import { readPreparedDraft } from "../prepared-draft.ts";
import { accountOf } from "./drafts.ts";

const common = { group: "gmail", sideEffect: true, label: "trusted", facts: mailFacts } as const;

export function sendDraftTool(deps: GmailDeps, name: string): Tool {
  return defineTool({
    ...common,
    timeoutMs: deps.times.sendMs,
    name,
    description:
      "Sends a draft of the owner's mailbox as it stands. A person is shown exactly what would leave, and decides.",
    input: z.object({ draftId: z.string().min(1) }),
    async prepare({ draftId }, context) {
      const draft = await readDraft(deps, context, draftId);
      if (!draft) throw new BronError("not_found", `There is no draft ${draftId} any more.`);
      const read = await readPreparedDraft(draft, await accountOf(deps, context));
      const mail = await withKnown(deps, context, {
        ...read,
        warnings: await warningsFor(deps, context, read),
      });
      return {
        prepared: { ...mail, draftId, draftDigest: await digestOf(draft.raw) },
        preview: previewOf(mail),
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
    timeoutMs: deps.times.sendMs,
    name,
    description: "Sends a new mail. A person is shown exactly what would leave, and decides.",
    input: z.object(mailFields),
    async prepare(wish, context) {
      const mail = await withKnown(
        deps,
        context,
        await prepareMail(
          wish,
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
    timeoutMs: deps.times.sendMs,
    name,
    description:
      "Answers in a conversation of the owner's mail. A person is shown exactly what would leave and to whom, and decides.",
    input: z.object({
      threadId: z.string().min(1),
      everyone: z.boolean().default(false).describe("Also to those who were copied"),
      bodyText,
      attachments,
    }),
    async prepare({ threadId, everyone, ...wish }, context) {
      const { place, to, cc, subject } = await placeInThread(deps, context, {
        account: await accountOf(deps, context),
        threadId,
        everyone,
      });
      if (to.length === 0)
        throw new BronError(
          "invalid_arguments",
          "Nobody in this conversation can be answered: use gmail_send with a recipient.",
        );
      const mail = await withKnown(
        deps,
        context,
        await prepareMail(
          { ...wish, to, cc, bcc: [], subject },
          place,
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

/** A draft that answers is held to what an answer is held to. */
async function warningsFor(
  deps: GmailDeps,
  context: ToolContext,
  { account, threadId, to, cc, bcc }: PreparedMail,
): Promise<string[]> {
  if (threadId === "") return [];
  const { place, to: asked } = await placeInThread(deps, context, {
    account,
    threadId,
    everyone: false,
  });
  const recipients = [...to, ...cc, ...bcc].map(normaliseAddress);
  return asked.some((address) => recipients.includes(normaliseAddress(address)))
    ? [...(place.warnings ?? [])]
    : [];
}
