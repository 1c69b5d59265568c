import {
  actionFailure,
  BronError,
  isOutage,
  messageOf,
  notDoneFailure,
  sha256,
  type EffectContext,
  type Reconciliation,
} from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { changeAtGoogle, type Caller } from "../google/call-google.ts";
import type { DraftOrigin } from "./draft-origin.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import {
  callerFor,
  deleteDraft,
  fileNameOf,
  hasDraft,
  putDraft,
  readDraft,
} from "./draft-effect.ts";
import { findDrafts, findSent, toSentMail } from "./find-by-mark.ts";
import type { PreparedMail } from "./prepared-mail.ts";

/**
 * Every send goes through a draft. The draft is a handle: deleting it ensures that the send can no
 * longer happen.
 */
export interface PreparedSend extends PreparedMail {
  /** The draft that the owner saw. Empty if the draft is created only for sending. */
  draftId: string;
  /** Digest of that draft's content at preparation time. */
  draftDigest: string;
  /** Who wrote that draft. Absent if the draft is created only for sending. */
  draftOrigin?: DraftOrigin;
}

interface SentOutput extends JsonObject {
  sentMessageId: string;
  threadId: string;
  sentAt: string;
  /** Who got it. The owner may have changed it at the approval. */
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  /** The draft that it was. */
  draftId?: string;
}

export async function send(
  deps: GmailDeps,
  mail: PreparedSend,
  context: EffectContext,
): Promise<SentOutput> {
  const caller = callerFor(mail, context);
  const draftId = await asNotSent(async () => {
    if (context.attempt === 1) await saveCopy(mail, context);
    return await draftToSend(deps, mail, { ...caller, attempt: context.attempt });
  });
  await context.requireApproval();
  const requestBody = {
    id: draftId,
    message: { raw: mail.raw, ...(mail.threadId === "" ? {} : { threadId: mail.threadId }) },
  };
  const message = await changeAtGoogle(deps, caller, ({ gmail }, options) =>
    gmail.users.drafts.send({ userId: "me", requestBody }, options),
  );
  return toOutput(mail, toSentMail(deps, message));
}

/** Reports any failure before the send request as retryable, because nothing has been sent yet. */
async function asNotSent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (BronError.is(error, "effect_not_done") || BronError.is(error, "missing_credentials"))
      throw error;
    throw notDoneFailure(error, { retryable: true });
  }
}

/**
 * Saves the copy before sending. If it failed afterwards, for example because of a full disk, a
 * sent mail would look uncertain.
 */
async function saveCopy({ raw, subject }: PreparedSend, context: EffectContext): Promise<void> {
  await context.saveArtifact({
    kind: "outbound_email_eml",
    name: `${fileNameOf(subject)}.eml`,
    mediaType: "message/rfc822",
    bytes: Buffer.from(raw, "base64url"),
  });
}

/**
 * Returns the draft that the owner saw, or a draft that names this attempt, so that reconciliation
 * can distinguish it from drafts that appear late.
 */
async function draftToSend(
  deps: GmailDeps,
  mail: PreparedSend,
  { attempt, ...caller }: Caller & { readonly attempt: number },
): Promise<string> {
  const draft = mail.draftId === "" ? undefined : await readDraft(deps, caller, mail.draftId);
  if (draft) {
    if ((await digestOf(draft.raw)) === mail.draftDigest) {
      await deleteDuplicateDrafts(deps, mail, caller);
      return mail.draftId;
    }
    throw actionFailure(
      "effect_not_done",
      { code: "draft_changed" },
      { details: { changed: true } },
    );
  }
  const drafts = attempt > 1 ? await findDrafts(deps, caller, mail) : [];
  if (mail.draftId !== "" && !drafts.some((candidate) => candidate.attempt > 0))
    throw actionFailure("effect_not_done", { code: "draft_deleted" });
  const attemptDraftId =
    drafts.find((candidate) => candidate.attempt === attempt)?.id ??
    (await putDraft(deps, caller, mail, attempt));
  for (const { id } of drafts) if (id !== attemptDraftId) await deleteDraft(deps, caller, id);
  return attemptDraftId;
}

/**
 * Deletes duplicates of the draft. An aborted request may have created one late, and it must not
 * stay behind as if it were unsent.
 */
async function deleteDuplicateDrafts(
  deps: GmailDeps,
  mail: PreparedSend,
  caller: Caller,
): Promise<void> {
  // A draft that the owner wrote gets its mark only during preparation, so no duplicate can carry
  // it.
  if (!(await hasOurMark(mail))) return;
  for (const { id } of await findDrafts(deps, caller, mail))
    if (id !== mail.draftId) await deleteDraft(deps, caller, id);
}

/** If the outcome cannot be determined, the message tells the owner where to look. */
export async function reconcileSend(
  deps: GmailDeps,
  mail: PreparedSend,
  context: EffectContext,
): Promise<Reconciliation> {
  const check = `Check your Sent folder in Gmail for “${mail.subject}” to ${mail.to.join(", ")}.`;
  try {
    return (await checkWhetherSent(deps, mail, context)) ?? { state: "unknown", check };
  } catch (error) {
    if (isOutage(error)) throw error;
    throw new BronError("tool_failed", `${check} ${messageOf(error)}`, { cause: error });
  }
}

/**
 * What the checks of one attempt have found so far. Once the handle is gone, only this tells a
 * draft that we deleted from one that was sent.
 */
interface SendEvidence {
  /**
   * When the handle was seen after the deadline, right before it is deleted. 0 if it was not seen.
   * Epoch milliseconds.
   */
  readonly handleSeenAt: number;
  /** We deleted the handle ourselves, which proves that it was not sent. */
  readonly isBurnt: boolean;
  /** Number of searches in sent mail since then that found nothing. */
  readonly searches: number;
}

const noEvidence: SendEvidence = { handleSeenAt: 0, isBurnt: false, searches: 0 };

/**
 * If the handle disappears within this time after it was seen, an interrupted check deleted it.
 * Later, the owner may have done so.
 */
const handleTrustMs = 10 * 60_000;

/**
 * Deletes the handle first, so that the attempt can no longer send, and then searches sent mail.
 * Only this attempt's own draft, still present after the deadline, proves that nothing was sent,
 * because other drafts may have been created late. Returns undefined if nothing is proved. Saves
 * each finding at once, so that the next check can continue an interrupted one.
 */
async function checkWhetherSent(
  deps: GmailDeps,
  mail: PreparedSend,
  context: EffectContext,
): Promise<Reconciliation | undefined> {
  const { attempt } = context;
  const caller = callerFor(mail, context);
  let found: SendEvidence = {
    ...noEvidence,
    ...(context.evidence as Partial<SendEvidence> | undefined),
  };
  const keep = async (more: Partial<SendEvidence>) => {
    found = { ...found, ...more };
    await context.keepEvidence({ ...found });
  };
  const shown =
    mail.draftId !== "" && (await hasDraft(deps, caller, mail.draftId))
      ? [{ id: mail.draftId, attempt }]
      : [];
  const drafts = [
    ...shown,
    ...(await findDrafts(deps, caller, mail)).filter(({ id }) => id !== mail.draftId),
  ];
  const isThere = drafts.some((draft) => draft.attempt === attempt);
  if (isThere) await keep({ handleSeenAt: deps.clock.now() });
  let isBurnt = false;
  for (const draft of drafts)
    if ((await deleteDraft(deps, caller, draft.id)) && draft.attempt === attempt) isBurnt = true;
  if (isBurnt) await keep({ isBurnt });
  // The draft disappeared between our two requests, and we did not delete it.
  else if (isThere) await keep({ handleSeenAt: 0 });
  // If an earlier check was interrupted while it deleted the handle, the send could only have
  // slipped in at that moment. Sent mail is searched for longer in that case.
  const { searchDelaysMs } = deps.times;
  const isPresumedDeleted =
    !found.isBurnt &&
    (await hasOurMark(mail)) &&
    deps.clock.now() - found.handleSeenAt < handleTrustMs;
  const pauses = isPresumedDeleted ? [...searchDelaysMs, ...searchDelaysMs] : searchDelaysMs;
  for (const pause of pauses.slice(found.searches)) {
    await deps.clock.sleep(pause, caller.signal);
    const sent = await findSent(deps, caller, mail);
    if (sent) return { state: "done", output: toOutput(mail, sent) };
    await keep({ searches: found.searches + 1 });
  }
  if (!found.isBurnt && !isPresumedDeleted) return undefined;
  // Restore the draft for the next attempt and for the owner. If this fails, the next attempt finds
  // no draft and reports it.
  if (mail.draftId !== "") await putDraft(deps, caller, mail, attempt + 1).catch(() => undefined);
  return { state: "not_done" };
}

/**
 * Whether the draft itself carries our mark, so that it is found in sent mail no matter who sends
 * it. A draft that the owner wrote gets the mark only when Bron sends it.
 */
async function hasOurMark(mail: PreparedSend): Promise<boolean> {
  return mail.draftId === "" || (await digestOf(mail.raw)) === mail.draftDigest;
}

export async function digestOf(raw: string): Promise<string> {
  return await sha256(new Uint8Array(Buffer.from(raw, "base64url")));
}

function toOutput(
  { draftId, to, cc, bcc, subject }: PreparedSend,
  { messageId, threadId, sentAt }: ReturnType<typeof toSentMail>,
): SentOutput {
  const sent = { sentMessageId: messageId, threadId, sentAt, to, cc, bcc, subject };
  return draftId === "" ? sent : { ...sent, draftId };
}
