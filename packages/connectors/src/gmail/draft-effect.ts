import {
  actionFailure,
  BronError,
  type EffectContext,
  type Reconciliation,
  type RestoreContext,
} from "@bron/core";
import { omitUndefined, type JsonObject } from "@bron/protocol";
import { changeAtGoogle, readFromGoogle, type Caller } from "../google/call-google.ts";
import { ifFound } from "../google/if-found.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { attemptHeader } from "./compose-mail.ts";
import { isSameDraft } from "./draft-content.ts";
import { findDrafts } from "./find-by-mark.ts";
import type { PreparedMail } from "./prepared-mail.ts";

interface DraftOutput extends JsonObject {
  draftId: string;
  to: string[];
  subject: string;
}

/** Restricts requests to the account that the mail was prepared for. */
export function callerFor({ account }: PreparedMail, { ownerId, signal }: EffectContext): Caller {
  return { ownerId, signal, account };
}

/**
 * Creates one draft per effect. A later attempt first searches for a draft that an earlier one left
 * behind.
 */
export async function createDraft(
  deps: GmailDeps,
  mail: PreparedMail,
  context: EffectContext,
): Promise<DraftOutput> {
  const caller = callerFor(mail, context);
  const [known] = context.attempt > 1 ? await findDrafts(deps, caller, mail) : [];
  return showDraft(mail, known ?? (await storeDraft(deps, caller, mail)), context);
}

export async function reconcileDraft(
  deps: GmailDeps,
  mail: PreparedMail,
  context: EffectContext,
): Promise<Reconciliation> {
  const caller = callerFor(mail, context);
  const [first, ...duplicates] = await findDrafts(deps, caller, mail);
  for (const duplicate of duplicates) await deleteDraft(deps, caller, duplicate.id);
  return first === undefined
    ? { state: "not_done" }
    : { state: "done", output: showDraft(mail, first, context) };
}

/**
 * Idempotent, because it writes the same bytes. It therefore needs no search for earlier attempts.
 */
export async function updateDraft(
  deps: GmailDeps,
  mail: PreparedMail & { draftId: string },
  context: EffectContext,
): Promise<DraftOutput> {
  await keepVersion(deps, mail, context);
  const { message } = await changeAtGoogle(deps, callerFor(mail, context), ({ gmail }, options) =>
    gmail.users.drafts.update(
      { userId: "me", id: mail.draftId, requestBody: { message: messageOf(mail) } },
      options,
    ),
  );
  return showDraft(mail, { id: mail.draftId, messageId: message?.id }, context);
}

/**
 * Keeps what the draft has now, because the owner may have written it. A repeated attempt keeps it
 * again, because the owner may have changed it meanwhile.
 */
async function keepVersion(
  deps: GmailDeps,
  mail: PreparedMail & { draftId: string },
  context: EffectContext,
): Promise<void> {
  const draft = await readDraft(deps, callerFor(mail, context), mail.draftId);
  if (!draft) throw actionFailure("effect_not_done", { code: "draft_deleted" });
  if (await isSameDraft(draft.raw, mail.raw)) return;
  await context.keepPrevious({
    name: `${fileNameOf(mail.subject)} (before).eml`,
    mediaType: "message/rfc822",
    bytes: Buffer.from(draft.raw, "base64url"),
  });
}

/** Writes the text that `updateDraft` replaced back, if the draft still has what it wrote. */
export async function restoreDraft(
  deps: GmailDeps,
  mail: PreparedMail & { draftId: string },
  { previous, ownerId, signal }: RestoreContext & { readonly previous: Uint8Array },
): Promise<"restored" | "changed"> {
  const caller = { ownerId, signal, account: mail.account };
  const draft = await readDraft(deps, caller, mail.draftId);
  const raw = Buffer.from(previous).toString("base64url");
  if (!draft) return "changed";
  if (await isSameDraft(draft.raw, raw)) return "restored";
  if (!(await isSameDraft(draft.raw, mail.raw))) return "changed";
  await changeAtGoogle(deps, caller, ({ gmail }, options) =>
    gmail.users.drafts.update(
      { userId: "me", id: mail.draftId, requestBody: { message: messageOf({ ...mail, raw }) } },
      options,
    ),
  );
  return "restored";
}

/** A subject as the name of a file. */
export function fileNameOf(subject: string): string {
  return subject.replaceAll(/[^\p{L}\p{N} ._-]/gu, "_").slice(0, 80) || "mail";
}

export async function reconcileUpdate(
  deps: GmailDeps,
  mail: PreparedMail & { draftId: string },
  context: EffectContext,
): Promise<Reconciliation> {
  const drafts = await findDrafts(deps, callerFor(mail, context), mail);
  return drafts.some(({ id }) => id === mail.draftId)
    ? { state: "done", output: showDraft(mail, { id: mail.draftId }, context) }
    : { state: "not_done" };
}

/**
 * Creates a draft. With `attempt`, the draft is the handle of that send attempt and carries its
 * number in a header.
 */
export async function putDraft(
  deps: GmailDeps,
  caller: Caller,
  mail: PreparedMail,
  attempt?: number,
): Promise<string> {
  return (await storeDraft(deps, caller, mail, attempt)).id;
}

/** A draft in the mailbox. Its message has another id after each change. */
interface StoredDraft {
  readonly id: string;
  readonly messageId?: string | null | undefined;
}

async function storeDraft(
  deps: GmailDeps,
  caller: Caller,
  mail: PreparedMail,
  attempt?: number,
): Promise<StoredDraft> {
  const raw =
    attempt === undefined
      ? mail.raw
      : Buffer.concat([
          Buffer.from(`${attemptHeader}: ${attempt}\r\n`),
          Buffer.from(mail.raw, "base64url"),
        ]).toString("base64url");
  const { id, message } = await changeAtGoogle(deps, caller, ({ gmail }, options) =>
    gmail.users.drafts.create(
      { userId: "me", requestBody: { message: messageOf({ ...mail, raw }) } },
      options,
    ),
  );
  if (!id) throw actionFailure("tool_failed", { code: "draft_without_id" });
  return { id, messageId: message?.id };
}

/** Returns false if the draft does not exist. */
export async function deleteDraft(
  deps: GmailDeps,
  caller: Caller,
  draftId: string,
): Promise<boolean> {
  try {
    await changeAtGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.drafts.delete({ userId: "me", id: draftId }, options),
    );
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

export async function hasDraft(deps: GmailDeps, caller: Caller, draftId: string): Promise<boolean> {
  const found = await ifFound(
    readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.drafts.get({ userId: "me", id: draftId, format: "minimal" }, options),
    ),
  );
  return found !== undefined;
}

/** Returns the raw bytes (base64url), or undefined if the draft no longer exists. */
export async function readDraft(
  deps: GmailDeps,
  caller: Caller,
  draftId: string,
): Promise<{ raw: string; threadId: string } | undefined> {
  const draft = await ifFound(
    readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.drafts.get({ userId: "me", id: draftId, format: "raw" }, options),
    ),
  );
  return draft && { raw: draft.message?.raw ?? "", threadId: draft.message?.threadId ?? "" };
}

function messageOf({ raw, threadId }: PreparedMail): { raw: string; threadId?: string } {
  return { raw, ...(threadId === "" ? {} : { threadId }) };
}

function isNotFound(error: unknown): boolean {
  return BronError.is(error, "effect_not_done") && error.details["status"] === 404;
}

function showDraft(
  { to, cc, subject, bodyText }: PreparedMail,
  { id: draftId, messageId }: StoredDraft,
  context: EffectContext,
): DraftOutput {
  context.showCard("EmailDraftCard", {
    to: to.join(", "),
    cc,
    subject,
    bodyText,
    draftId,
    ...omitUndefined({ messageId: messageId ?? undefined }),
    requiresApproval: true,
  });
  return { draftId, to, subject };
}
