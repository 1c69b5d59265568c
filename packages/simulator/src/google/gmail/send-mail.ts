import { omitUndefined } from "@bron/protocol";
import { mailFacts } from "../mime/mail-facts.ts";
import { parseMime } from "../mime/parse-mime.ts";
import type { Entry } from "../state/entries.ts";
import type { Mailbox, StoredMessage } from "../state/mailbox.ts";
import { newMessageId } from "../state/message-ids.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { findThread } from "./find-thread.ts";
import { prepareOutgoing } from "./outgoing.ts";

interface Sending {
  readonly mailbox: Mailbox;
  readonly senderName: string;
  readonly raw: Buffer;
  readonly threadId?: string;
  /** Deleted by the send. The sent message keeps its thread. */
  readonly draftId?: string;
  readonly now: Date;
  readonly by: "app" | "owner";
  readonly call?: number;
}

/** Sends the message, delivers it to every mailbox here and records it, in one commit. */
export function sendMail(state: SimulatorState, sending: Sending): StoredMessage {
  const { mailbox, raw, now, draftId } = sending;
  const settings = state.settings();
  const outgoing = prepareOutgoing(raw, {
    account: { address: mailbox.address, name: sending.senderName },
    now,
    messageIds: settings.messageIds,
  });
  const envelope = [
    ...new Set([...outgoing.recipients.to, ...outgoing.recipients.cc, ...outgoing.recipients.bcc]),
  ];
  const facts = mailFacts(parseMime(outgoing.sent));
  const id = newMessageId(mailbox, now.getTime());
  const threadId =
    findThread(mailbox, facts, sending.threadId) ?? ownThreadOfDraft(mailbox, draftId) ?? id;
  const isToSelf = envelope.includes(mailbox.address);

  const entries: Entry[] = [
    ...removeDraft(mailbox, draftId),
    storeEntry(state, {
      account: mailbox.address,
      raw: outgoing.sent,
      id,
      threadId,
      labelIds: isToSelf ? ["UNREAD", "SENT", "INBOX"] : ["SENT"],
      internalDate: now.getTime(),
      visibleAt: now.getTime() + settings.sentLagMs,
    }),
    ...envelope.flatMap((address) => {
      const other = address === mailbox.address ? undefined : state.mailbox(address);
      return other ? [deliverEntry(state, other, outgoing.delivered(address), now)] : [];
    }),
    {
      type: "sent",
      mail: {
        ...omitUndefined({ call: sending.call }),
        by: sending.by,
        time: now.toISOString(),
        account: mailbox.address,
        rawDigest: state.keepRaw(raw),
        subject: facts.subject,
        recipients: {
          ...outgoing.recipients,
          envelope,
          outside: envelope.filter((address) => !state.mailbox(address)),
        },
        threadId,
        ...omitUndefined({ draftId }),
        messageId: id,
        rfc822MessageId: facts.messageId,
      },
    },
  ];
  state.commit(entries, sending.call);
  return mailbox.message(id) as StoredMessage;
}

/** The thread that the draft started. Undefined if other messages are in it. */
export function ownThreadOfDraft(
  mailbox: Mailbox,
  draftId: string | undefined,
): string | undefined {
  const draft = mailbox.message(mailbox.drafts.get(draftId ?? "") ?? "");
  return draft && mailbox.thread(draft.threadId).length === 1 ? draft.threadId : undefined;
}

/** The message as it arrives in a recipient's inbox. */
export function deliverEntry(
  state: SimulatorState,
  mailbox: Mailbox,
  raw: Buffer,
  now: Date,
): MessageEntry {
  const id = newMessageId(mailbox, now.getTime());
  const threadId = findThread(mailbox, mailFacts(parseMime(raw))) ?? id;
  return storeEntry(state, {
    account: mailbox.address,
    raw,
    id,
    threadId,
    labelIds: ["UNREAD", "IMPORTANT", "CATEGORY_PERSONAL", "INBOX"],
    internalDate: now.getTime(),
    visibleAt: 0,
  });
}

export function removeDraft(mailbox: Mailbox, draftId: string | undefined): Entry[] {
  if (draftId === undefined) return [];
  const messageId = mailbox.drafts.get(draftId);
  return [
    { type: "draft", account: mailbox.address, draftId },
    ...(messageId === undefined
      ? []
      : [{ type: "removed" as const, account: mailbox.address, id: messageId }]),
  ];
}

type MessageEntry = Extract<Entry, { type: "message" }>;

export function storeEntry(
  state: SimulatorState,
  message: Omit<MessageEntry, "type" | "sizeBytes" | "rawDigest"> & { readonly raw: Buffer },
): MessageEntry {
  const { raw, ...rest } = message;
  return { type: "message", ...rest, sizeBytes: raw.length, rawDigest: state.keepRaw(raw) };
}
