import { BronError, sha256, type EffectContext, type Reconciliation } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { changeAtGoogle } from "../google/call-google.ts";
import type { GmailParts } from "./gmail-parts.ts";
import { deleteDraft, putDraft, readDraft } from "./draft-effect.ts";
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

export async function send(parts: GmailParts, mail: PreparedSend, context: EffectContext): Promise<SentOutput> {
  const draftId = await nothingSentYet(async () => {
    await refuseOtherAccount(parts, mail, context);
    if (context.attempt === 1) await keepCopy(mail, context);
    return await draftToSend(parts, mail, context);
  });
  await context.requireApproval();
  const requestBody = { id: draftId, message: { raw: mail.raw, ...(mail.threadId === "" ? {} : { threadId: mail.threadId }) } };
  const message = await changeAtGoogle(parts, context, ({ gmail }, options) => gmail.users.drafts.send({ userId: "me", requestBody }, options));
  return toOutput(toSent(message));
}

/** Whatever goes wrong before the request to send, nothing has left: it can be tried again. */
async function nothingSentYet<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (BronError.is(error, "effect_not_done") || BronError.is(error, "missing_credentials")) throw error;
    throw new BronError("effect_not_done", `Not sent: ${error instanceof Error ? error.message : String(error)}`, { retryable: true, cause: error });
  }
}

/** Before it leaves: afterwards a full disk would make doubt of a mail that was sent. */
async function keepCopy({ raw, subject }: PreparedSend, context: EffectContext): Promise<void> {
  await context.saveArtifact({ kind: "outbound_email_eml", name: `${subject.replaceAll(/[^\p{L}\p{N} ._-]/gu, "_").slice(0, 80) || "mail"}.eml`, mediaType: "message/rfc822", bytes: Buffer.from(raw, "base64url") });
}

async function refuseOtherAccount({ accounts }: GmailParts, mail: PreparedSend, { ownerId }: EffectContext): Promise<void> {
  const { account } = await accounts.mailbox(ownerId);
  if (account !== mail.account) throw new BronError("effect_not_done", `Not sent: it was approved for ${mail.account}, and ${account} is connected now.`);
}

async function draftToSend(parts: GmailParts, mail: PreparedSend, context: EffectContext): Promise<string> {
  const draft = mail.draftId === "" ? undefined : await readDraft(parts, context, mail.draftId);
  if (draft) {
    if ((await digestOf(draft.raw)) === mail.draftDigest) {
      await removeTwins(parts, mail, context);
      return mail.draftId;
    }
    throw new BronError("effect_not_done", "Not sent: the draft was changed in Gmail after it was shown. Look at it again.", { details: { changed: true } });
  }
  // Made by an earlier attempt, or put back after its draft was burnt.
  const [known] = context.attempt > 1 ? await findDrafts(parts, context, mail) : [];
  if (known !== undefined) return known;
  if (mail.draftId === "") return await putDraft(parts, context, mail);
  throw new BronError("effect_not_done", "Not sent: the draft is gone. It was sent or deleted in Gmail.");
}

/** A request for a draft that was given up may have been served late. Its draft must not stay behind as if it were unsent. */
async function removeTwins(parts: GmailParts, mail: PreparedSend, context: EffectContext): Promise<void> {
  // A draft of the owner's own got its mark when it was prepared: nothing else has it.
  if ((await digestOf(mail.raw)) !== mail.draftDigest) return;
  for (const id of await findDrafts(parts, context, mail)) if (id !== mail.draftId) await deleteDraft(parts, context, id);
}

/**
 * Burns the handle first, so that nothing of the attempt can still happen, then looks among sent mail. Only a draft that was
 * still there proves that it was not sent.
 */
export async function reconcileSend(parts: GmailParts, mail: PreparedSend, context: EffectContext): Promise<Reconciliation> {
  const ids = new Set([...(mail.draftId === "" ? [] : [mail.draftId]), ...(await findDrafts(parts, context, mail))]);
  let burnt = 0;
  for (const id of ids) if (await deleteDraft(parts, context, id)) burnt++;
  for (const pause of parts.times.looksMs) {
    await parts.clock.sleep(pause, context.signal);
    const sent = await findSent(parts, context, mail);
    if (sent) return { state: "done", output: toOutput(sent) };
  }
  if (burnt === 0) return { state: "unknown", check: `Look in Gmail's Sent for “${mail.subject}” to ${mail.to.join(", ")}.` };
  // Put back for the next attempt, and for the owner. If that fails, the next attempt finds none, and says so.
  if (mail.draftId !== "") await putDraft(parts, context, mail).catch(() => undefined);
  return { state: "not_done" };
}

export async function digestOf(raw: string): Promise<string> {
  return await sha256(new Uint8Array(Buffer.from(raw, "base64url")));
}

function toOutput({ messageId, threadId, sentAt }: ReturnType<typeof toSent>): SentOutput {
  return { sentMessageId: messageId, threadId, sentAt };
}
