import { BronError, defineTool, type Tool, type ToolContext } from "@bron/core";
import { z } from "zod";
import type { GmailParts } from "../gmail-parts.ts";
import {
  createDraft,
  readDraft,
  reconcileDraft,
  reconcileUpdate,
  updateDraft,
} from "../draft-effect.ts";
import { mailFacts } from "../mail-facts.ts";
import {
  mailFields,
  prepareMail,
  previewOf,
  type MailPlace,
  type PreparedMail,
} from "../prepared-mail.ts";
import { placeOfDraft } from "../prepared-draft.ts";
import { placeInThread } from "../reply-place.ts";

export function draftCreateTool(parts: GmailParts, name: string): Tool {
  return defineTool({
    name,
    description:
      "Writes a draft into the owner's own mailbox; nobody else sees it, and it is not sent. With a threadId it answers in that conversation.",
    input: z.object({ ...mailFields, threadId: z.string().optional() }),
    group: "gmail",
    sideEffect: true,
    seenBy: "owner",
    label: "trusted",
    facts: mailFacts,
    timeoutMs: parts.times.draftMs,
    async prepare({ threadId, ...wish }, context) {
      const mail = await prepareMail(
        wish,
        await placeOf(parts, context, threadId),
        context,
        new Date(parts.clock.now()),
      );
      return { prepared: mail, preview: previewOf(mail) };
    },
    execute: (mail: PreparedMail, context) => createDraft(parts, mail, context),
    reconcile: (mail, context) => reconcileDraft(parts, mail, context),
  });
}

export function draftUpdateTool(parts: GmailParts, name: string): Tool {
  return defineTool({
    name,
    description:
      "Replaces the whole content of a draft in the owner's own mailbox. It is not sent.",
    input: z.object({ ...mailFields, draftId: z.string().min(1) }),
    group: "gmail",
    sideEffect: true,
    seenBy: "owner",
    label: "trusted",
    facts: mailFacts,
    timeoutMs: parts.times.draftMs,
    async prepare({ draftId, ...wish }, context) {
      const draft = await readDraft(parts, context, draftId);
      if (!draft) throw new BronError("not_found", `There is no draft ${draftId} any more.`);
      const mail = await prepareMail(
        wish,
        { account: await accountOf(parts, context), ...(await placeOfDraft(draft)) },
        context,
        new Date(parts.clock.now()),
      );
      return { prepared: { ...mail, draftId }, preview: previewOf(mail) };
    },
    execute: (mail: PreparedMail & { draftId: string }, context) =>
      updateDraft(parts, mail, context),
    reconcile: (mail, context) => reconcileUpdate(parts, mail, context),
  });
}

async function placeOf(
  parts: GmailParts,
  context: ToolContext,
  threadId: string | undefined,
): Promise<MailPlace> {
  const account = await accountOf(parts, context);
  return threadId === undefined
    ? { account }
    : (await placeInThread(parts, context, { account, threadId, everyone: false })).place;
}

export async function accountOf(
  { accounts }: GmailParts,
  { ownerId }: ToolContext,
): Promise<string> {
  return (await accounts.access(ownerId)).account;
}
