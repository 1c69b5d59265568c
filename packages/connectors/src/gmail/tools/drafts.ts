import { actionFailure, defineTool, type Tool, type ToolContext } from "@bron/core";
import { z } from "zod";
import type { GmailDeps } from "../gmail-deps.ts";
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
  type MailEnvelope,
  type PreparedMail,
} from "../prepared-mail.ts";
import { threadOfDraft } from "../prepared-draft.ts";
import { resolveReply } from "../resolve-reply.ts";

export function draftCreateTool(deps: GmailDeps, name: string): Tool {
  return defineTool({
    name,
    description:
      "Creates a draft in the user's mailbox. Only the user sees it, and it is not sent. With a threadId it is a reply in that thread.",
    input: z.object({ ...mailFields, threadId: z.string().optional() }),
    group: "gmail",
    sideEffect: true,
    seenBy: "owner",
    label: "trusted",
    facts: mailFacts,
    timeoutMs: deps.times.draftMs,
    async prepare({ threadId, ...request }, context) {
      const mail = await prepareMail(
        request,
        await placeOf(deps, context, threadId),
        context,
        new Date(deps.clock.now()),
      );
      return { prepared: mail, preview: previewOf(mail) };
    },
    execute: (mail: PreparedMail, context) => createDraft(deps, mail, context),
    reconcile: (mail, context) => reconcileDraft(deps, mail, context),
  });
}

export function draftUpdateTool(deps: GmailDeps, name: string): Tool {
  return defineTool({
    name,
    description: "Replaces the entire content of a draft in the user's mailbox. It is not sent.",
    input: z.object({ ...mailFields, draftId: z.string().min(1) }),
    group: "gmail",
    sideEffect: true,
    seenBy: "owner",
    label: "trusted",
    facts: mailFacts,
    timeoutMs: deps.times.draftMs,
    async prepare({ draftId, ...request }, context) {
      const draft = await readDraft(deps, context, draftId);
      if (!draft) throw actionFailure("not_found", { code: "draft_missing", draftId });
      const mail = await prepareMail(
        request,
        { account: await accountOf(deps, context), ...(await threadOfDraft(draft)) },
        context,
        new Date(deps.clock.now()),
      );
      return { prepared: { ...mail, draftId }, preview: previewOf(mail) };
    },
    execute: (mail: PreparedMail & { draftId: string }, context) =>
      updateDraft(deps, mail, context),
    reconcile: (mail, context) => reconcileUpdate(deps, mail, context),
  });
}

async function placeOf(
  deps: GmailDeps,
  context: ToolContext,
  threadId: string | undefined,
): Promise<MailEnvelope> {
  const account = await accountOf(deps, context);
  return threadId === undefined
    ? { account }
    : (await resolveReply(deps, context, { account, threadId, everyone: false })).envelope;
}

export async function accountOf(
  { accounts }: GmailDeps,
  { ownerId }: ToolContext,
): Promise<string> {
  return (await accounts.access(ownerId)).account;
}
