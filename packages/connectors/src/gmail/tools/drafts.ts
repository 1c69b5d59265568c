import {
  actionFailure,
  defineTool,
  type MentionQuery,
  type Tool,
  type ToolContext,
} from "@bron/core";
import type { JsonValue, WrittenThing } from "@bron/protocol";
import { z } from "zod";
import type { GmailDeps } from "../gmail-deps.ts";
import {
  createDraft,
  readDraft,
  reconcileDraft,
  reconcileUpdate,
  restoreDraft,
  updateDraft,
} from "../draft-effect.ts";
import { draftAccess } from "../draft-now.ts";
import { draftThings, readOrigin, type DraftOrigin } from "../draft-origin.ts";
import { findMailMention } from "../find-mention.ts";
import { mailFacts } from "../mail-facts.ts";
import { mailFields, prepareMail, previewOf, type PreparedMail } from "../prepared-mail.ts";
import { readDraftHeaders, threadOfDraft, type DraftHeaders } from "../prepared-draft.ts";
import { resolveReply, type ResolvedReply } from "../resolve-reply.ts";

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
    ...draftWords(deps),
    facts: mailFacts,
    timeoutMs: deps.times.draftMs,
    async prepare({ threadId, ...request }, context) {
      const { envelope, reads } = await placeOf(deps, context, threadId);
      const mail = await prepareMail(request, envelope, context, new Date(deps.clock.now()));
      return { prepared: mail, preview: previewOf(mail), reads };
    },
    wrote: (_, output) => writtenDraft(output),
    draft: draftAccess(deps),
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
    ...draftWords(deps),
    facts: (mail: PreparedUpdate) => ({
      ...mailFacts(mail),
      things: draftThings(mail, mail.replaces),
    }),
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
      const { isMarked, ...replaces } = await readDraftHeaders(draft);
      const { origin: draftOrigin } = await readOrigin({ draftId, isMarked }, replaces, context);
      return {
        prepared: { ...mail, draftId, draftOrigin, replaces },
        preview: previewOf(mail),
      };
    },
    wrote: (_, output) => writtenDraft(output),
    draft: draftAccess(deps),
    execute: (mail: PreparedUpdate, context) => updateDraft(deps, mail, context),
    reconcile: (mail, context) => reconcileUpdate(deps, mail, context),
    restore: (mail, previous, context) => restoreDraft(deps, mail, { ...context, previous }),
  });
}

interface PreparedUpdate extends PreparedMail {
  draftId: string;
  draftOrigin: DraftOrigin;
  /** The current content. */
  replaces: DraftHeaders;
}

const draftWords = (deps: GmailDeps) => ({
  effectKind: "write_draft" as const,
  findMention: (query: MentionQuery, mail: PreparedMail, context: ToolContext) =>
    findMailMention(deps, query, mail, context),
});

function writtenDraft(output: JsonValue): WrittenThing[] {
  const id =
    typeof output === "object" && output !== null && "draftId" in output ? output.draftId : "";
  return typeof id === "string" && id !== "" ? [{ kind: "draft", id }] : [];
}

async function placeOf(
  deps: GmailDeps,
  context: ToolContext,
  threadId: string | undefined,
): Promise<Pick<ResolvedReply, "envelope" | "reads">> {
  const account = await accountOf(deps, context);
  return threadId === undefined
    ? { envelope: { account }, reads: { results: [], writers: [] } }
    : await resolveReply(deps, context, { account, threadId, everyone: false });
}

export async function accountOf(
  { accounts }: GmailDeps,
  { ownerId }: ToolContext,
): Promise<string> {
  return (await accounts.access(ownerId)).account;
}
