import { randomBytes } from "node:crypto";
import { mailFacts } from "../mime/mail-facts.ts";
import { parseMime } from "../mime/parse-mime.ts";
import type { Mailbox } from "../state/mailbox.ts";
import { newMessageId } from "../state/message-ids.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { findThread } from "./find-thread.ts";
import { ownThreadOfDraft, removeDraft, storeEntry } from "./send-mail.ts";

interface DraftChange {
  readonly mailbox: Mailbox;
  /** Absent for a new draft. */
  readonly draftId?: string;
  readonly raw: Buffer;
  readonly threadId?: string;
  readonly now: Date;
  readonly call?: number;
}

/** Returns the draft's id. Every update gives the draft a new message, as in Gmail. */
export function saveDraft(
  state: SimulatorState,
  { mailbox, raw, threadId: named, now, call, ...change }: DraftChange,
): string {
  const draftId = change.draftId ?? `r${BigInt(`0x${randomBytes(8).toString("hex")}`).toString()}`;
  const id = newMessageId(mailbox, now.getTime());
  const threadId =
    findThread(mailbox, mailFacts(parseMime(raw)), named) ??
    ownThreadOfDraft(mailbox, change.draftId) ??
    id;
  const stored = storeEntry(state, {
    account: mailbox.address,
    raw,
    id,
    threadId,
    labelIds: ["DRAFT"],
    internalDate: now.getTime(),
    visibleAt: 0,
  });
  const removed = removeDraft(mailbox, change.draftId).filter(({ type }) => type === "removed");
  state.commit(
    [...removed, stored, { type: "draft", account: mailbox.address, draftId, messageId: id }],
    call,
  );
  return draftId;
}
