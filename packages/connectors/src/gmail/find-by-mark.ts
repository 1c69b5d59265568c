import { BronError } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import { readFromGoogle, type Caller, type CallParts } from "../google/call-google.ts";
import { markHeader } from "./compose-mail.ts";
import { headerOf } from "./read-mail.ts";

interface Marked {
  readonly mark: string;
  readonly messageId: string;
}

export interface SentMail {
  readonly messageId: string;
  readonly threadId: string;
  readonly sentAt: string;
}

/** Drafts of this mail, by our header. */
export async function findDrafts(parts: CallParts, caller: Caller, marked: Marked): Promise<string[]> {
  for (const q of [`rfc822msgid:${marked.messageId}`, ""]) {
    const listed = await readFromGoogle(parts, caller, ({ gmail }, options) => gmail.users.drafts.list({ userId: "me", maxResults: 25, ...(q === "" ? {} : { q }) }, options));
    const known = await Promise.all((listed.drafts ?? []).map(({ message, id }) => hasMark(parts, caller, message?.id ?? "", marked.mark).then((has) => (has ? [id ?? ""] : []))));
    if (known.flat().length > 0) return known.flat();
  }
  return [];
}

/** Sent mail with our header: by its Message-ID, and, since Gmail may give it another one, among what was sent lately. */
export async function findSent(parts: CallParts, caller: Caller, marked: Marked): Promise<SentMail | undefined> {
  for (const query of [`in:sent rfc822msgid:${marked.messageId}`, "in:sent newer_than:3d"]) {
    const listed = await readFromGoogle(parts, caller, ({ gmail }, options) => gmail.users.messages.list({ userId: "me", maxResults: 25, q: query }, options));
    for (const { id } of listed.messages ?? []) {
      const message = await readHeaders(parts, caller, id ?? "");
      if (message && headerOf(message, markHeader) === marked.mark) return toSent(message);
    }
  }
  return undefined;
}

export function toSent(message: gmail_v1.Schema$Message): SentMail {
  return { messageId: message.id ?? "", threadId: message.threadId ?? "", sentAt: new Date(Number(message.internalDate ?? Date.now())).toISOString() };
}

async function hasMark(parts: CallParts, caller: Caller, messageId: string, mark: string): Promise<boolean> {
  const message = await readHeaders(parts, caller, messageId);
  return message !== undefined && headerOf(message, markHeader) === mark;
}

async function readHeaders(parts: CallParts, caller: Caller, id: string): Promise<gmail_v1.Schema$Message | undefined> {
  try {
    return await readFromGoogle(parts, caller, ({ gmail }, options) => gmail.users.messages.get({ userId: "me", id, format: "metadata", metadataHeaders: [markHeader] }, options));
  } catch (error) {
    // Gone between the list and here. Whatever else it is, it does not mean that there is no such mail.
    if (BronError.is(error, "not_found")) return undefined;
    throw error;
  }
}
