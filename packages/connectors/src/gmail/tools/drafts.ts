import { BronError, defineTool, type Tool, type ToolContext } from "@bron/core";
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
  type MailPlace,
  type PreparedMail,
} from "../prepared-mail.ts";
import { placeOfDraft } from "../prepared-draft.ts";
import { placeInThread } from "../reply-place.ts";

export function draftCreateTool(deps: GmailDeps, name: string): Tool {
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
    timeoutMs: deps.times.draftMs,
    async prepare({ threadId, ...wish }, context) {
      const mail = await prepareMail(
        wish,
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
    description:
      "Replaces the whole content of a draft in the owner's own mailbox. It is not sent.",
    input: z.object({ ...mailFields, draftId: z.string().min(1) }),
    group: "gmail",
    sideEffect: true,
    seenBy: "owner",
    label: "trusted",
    facts: mailFacts,
    timeoutMs: deps.times.draftMs,
    async prepare({ draftId, ...wish }, context) {
      const draft = await readDraft(deps, context, draftId);
      if (!draft) throw new BronError("not_found", `There is no draft ${draftId} any more.`);
      const mail = await prepareMail(
        wish,
        { account: await accountOf(deps, context), ...(await placeOfDraft(draft)) },
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
): Promise<MailPlace> {
  const account = await accountOf(deps, context);
  return threadId === undefined
    ? { account }
    : (await placeInThread(deps, context, { account, threadId, everyone: false })).place;
}

export async function accountOf(
  { accounts }: GmailDeps,
  { ownerId }: ToolContext,
): Promise<string> {
  return (await accounts.access(ownerId)).account;
}
