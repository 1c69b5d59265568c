import {
  BronError,
  isOutage,
  messageOf,
  sha256,
  type EffectContext,
  type Reconciliation,
} from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { changeAtGoogle, type Caller } from "../google/call-google.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { callerFor, deleteDraft, hasDraft, putDraft, readDraft } from "./draft-effect.ts";
import { findDrafts, findSent, toSent } from "./find-by-mark.ts";
import type { PreparedMail } from "./prepared-mail.ts";

/** Every send goes through a draft, which is the handle that can be burnt. */
export interface PreparedSend extends PreparedMail {
  /** The draft that the owner saw; empty if it is made for the sending. */
  draftId: string;
  /** What that draft held when it was prepared. */
  draftDigest: string;
}

export interface SentOutput extends JsonObject {
  sentMessageId: string;
  threadId: string;
  sentAt: string;
}

export async function send(
  deps: GmailDeps,
  mail: PreparedSend,
  context: EffectContext,
): Promise<SentOutput> {
  const caller = callerFor(mail, context);
  const draftId = await nothingSentYet(async () => {
    if (context.attempt === 1) await keepCopy(mail, context);
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
  return toOutput(toSent(deps, message));
}

/** Whatever goes wrong before the request to send, nothing has left: it can be tried again. */
async function nothingSentYet<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (BronError.is(error, "effect_not_done") || BronError.is(error, "missing_credentials"))
      throw error;
    throw new BronError(
      "effect_not_done",
      `Not sent: ${error instanceof Error ? error.message : String(error)}`,
      { retryable: true, cause: error },
    );
  }
}

/** Before it leaves: afterwards a full disk would make doubt of a mail that was sent. */
async function keepCopy({ raw, subject }: PreparedSend, context: EffectContext): Promise<void> {
  await context.saveArtifact({
    kind: "outbound_email_eml",
    name: `${subject.replaceAll(/[^\p{L}\p{N} ._-]/gu, "_").slice(0, 80) || "mail"}.eml`,
    mediaType: "message/rfc822",
    bytes: Buffer.from(raw, "base64url"),
  });
}

/** The draft that was shown, or else one that names this attempt: so that reconcile can tell it from any that comes late. */
async function draftToSend(
  deps: GmailDeps,
  mail: PreparedSend,
  { attempt, ...caller }: Caller & { readonly attempt: number },
): Promise<string> {
  const draft = mail.draftId === "" ? undefined : await readDraft(deps, caller, mail.draftId);
  if (draft) {
    if ((await digestOf(draft.raw)) === mail.draftDigest) {
      await removeTwins(deps, mail, caller);
      return mail.draftId;
    }
    throw new BronError(
      "effect_not_done",
      "Not sent: the draft was changed in Gmail after it was shown. Look at it again.",
      { details: { changed: true } },
    );
  }
  const found = attempt > 1 ? await findDrafts(deps, caller, mail) : [];
  if (mail.draftId !== "" && !found.some((one) => one.attempt > 0))
    throw new BronError(
      "effect_not_done",
      "Not sent: the draft is gone. It was sent or deleted in Gmail.",
    );
  const own =
    found.find((one) => one.attempt === attempt)?.id ??
    (await putDraft(deps, caller, mail, attempt));
  for (const { id } of found) if (id !== own) await deleteDraft(deps, caller, id);
  return own;
}

/** A request for a draft that was given up may have been served late. Its draft must not stay behind as if it were unsent. */
async function removeTwins(deps: GmailDeps, mail: PreparedSend, caller: Caller): Promise<void> {
  // A draft of the owner's own got its mark when it was prepared: nothing else has it.
  if (!(await isOurs(mail))) return;
  for (const { id } of await findDrafts(deps, caller, mail))
    if (id !== mail.draftId) await deleteDraft(deps, caller, id);
}

/** What cannot be found out is left to the owner, with where to look. */
export async function reconcileSend(
  deps: GmailDeps,
  mail: PreparedSend,
  context: EffectContext,
): Promise<Reconciliation> {
  const check = `Look in Gmail's Sent for “${mail.subject}” to ${mail.to.join(", ")}.`;
  try {
    return (await findOut(deps, mail, context)) ?? { state: "unknown", check };
  } catch (error) {
    if (isOutage(error)) throw error;
    throw new BronError("tool_failed", `${check} ${messageOf(error)}`, { cause: error });
  }
}

/** What looks into one attempt have found so far. Once the handle is gone, nothing else tells a draft that we deleted from one that was sent. */
interface LookEvidence {
  /** When the handle was seen after the deadline, about to be burnt; 0 if it was not. Epoch milliseconds. */
  readonly handleSeenAt: number;
  /** We deleted it ourselves, which proves that it was not sent. */
  readonly isBurnt: boolean;
  /** Searches of sent mail since then that found nothing. */
  readonly searches: number;
}

const nothingFound: LookEvidence = { handleSeenAt: 0, isBurnt: false, searches: 0 };

/** For so long after the handle was seen, its absence means that an interrupted look burnt it. Later its owner may have been there. */
const trustedMs = 10 * 60_000;

/**
 * Burns the handle first, so that nothing of the attempt can still happen, then looks among sent mail. Only the draft of this
 * attempt, if it was still there after the deadline, proves that it was not sent: others may have been made late. Undefined if nothing is proved.
 * Everything it finds is kept at once, so that a look which is interrupted is continued by the next one.
 */
async function findOut(
  deps: GmailDeps,
  mail: PreparedSend,
  context: EffectContext,
): Promise<Reconciliation | undefined> {
  const { attempt } = context;
  const caller = callerFor(mail, context);
  let found: LookEvidence = {
    ...nothingFound,
    ...(context.evidence as Partial<LookEvidence> | undefined),
  };
  const keep = async (more: Partial<LookEvidence>) => {
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
  // It went between our two requests, and not by our hand.
  else if (isThere) await keep({ handleSeenAt: 0 });
  // If an earlier look was interrupted while it burnt the handle, the send would have had to slip in just then: sent mail is searched for longer.
  const { looksMs } = deps.times;
  const isPresumed =
    !found.isBurnt && (await isOurs(mail)) && deps.clock.now() - found.handleSeenAt < trustedMs;
  const pauses = isPresumed ? [...looksMs, ...looksMs] : looksMs;
  for (const pause of pauses.slice(found.searches)) {
    await deps.clock.sleep(pause, caller.signal);
    const sent = await findSent(deps, caller, mail);
    if (sent) return { state: "done", output: toOutput(sent) };
    await keep({ searches: found.searches + 1 });
  }
  if (!found.isBurnt && !isPresumed) return undefined;
  // Put back for the next attempt, and for the owner. If that fails, the next attempt finds none, and says so.
  if (mail.draftId !== "") await putDraft(deps, caller, mail, attempt + 1).catch(() => undefined);
  return { state: "not_done" };
}

/** Whether the draft carries our mark, so that it is found among sent mail no matter who sends it. An owner's own draft gets the mark only when it is sent. */
async function isOurs(mail: PreparedSend): Promise<boolean> {
  return mail.draftId === "" || (await digestOf(mail.raw)) === mail.draftDigest;
}

export async function digestOf(raw: string): Promise<string> {
  return await sha256(new Uint8Array(Buffer.from(raw, "base64url")));
}

function toOutput({ messageId, threadId, sentAt }: ReturnType<typeof toSent>): SentOutput {
  return { sentMessageId: messageId, threadId, sentAt };
}
