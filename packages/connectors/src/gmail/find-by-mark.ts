import type { gmail_v1 } from "@googleapis/gmail";
import { readFromGoogle, type Caller } from "../google/call-google.ts";
import { ifFound } from "../google/if-found.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { attemptHeader, markHeader } from "./compose-mail.ts";
import { headerOf } from "./read-mail.ts";

interface Marked {
  readonly mark: string;
  readonly messageId: string;
}

interface SentMail {
  readonly messageId: string;
  readonly threadId: string;
  readonly sentAt: string;
}

interface MarkedDraft {
  readonly id: string;
  /** The attempt that created this draft, or 0. */
  readonly attempt: number;
}

/** Finds drafts of this mail by our header. */
export async function findDrafts(
  deps: GmailDeps,
  caller: Caller,
  marked: Marked,
): Promise<MarkedDraft[]> {
  for (const q of [`rfc822msgid:${marked.messageId}`, ""]) {
    const listed = await readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.drafts.list(
        { userId: "me", maxResults: 25, ...(q === "" ? {} : { q }) },
        options,
      ),
    );
    const read = await Promise.all(
      (listed.drafts ?? []).map(async ({ message, id }) => ({
        id: id ?? "",
        message: await readHeaders(deps, caller, message?.id ?? ""),
      })),
    );
    const drafts = read.flatMap(({ id, message }) =>
      message && headerOf(message, markHeader) === marked.mark
        ? [{ id, attempt: Number(headerOf(message, attemptHeader)) || 0 }]
        : [],
    );
    if (drafts.length > 0) return drafts;
  }
  return [];
}

/**
 * Finds the sent mail by our header. Searches by Message-ID first, then in recently sent mail,
 * because Gmail may have replaced the Message-ID.
 */
export async function findSent(
  deps: GmailDeps,
  caller: Caller,
  marked: Marked,
): Promise<SentMail | undefined> {
  for (const query of [`in:sent rfc822msgid:${marked.messageId}`, "in:sent newer_than:3d"]) {
    const listed = await readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.messages.list({ userId: "me", maxResults: 25, q: query }, options),
    );
    const read = await Promise.all(
      (listed.messages ?? []).map(({ id }) => readHeaders(deps, caller, id ?? "")),
    );
    const found = read.find((message) => message && headerOf(message, markHeader) === marked.mark);
    if (found) return toSentMail(deps, found);
  }
  return undefined;
}

/**
 * Gmail returns a message's time when it is read, but not in the response to sending it. In that
 * case the time of the response is used.
 */
export function toSentMail(
  { clock }: Pick<GmailDeps, "clock">,
  message: gmail_v1.Schema$Message,
): SentMail {
  return {
    messageId: message.id ?? "",
    threadId: message.threadId ?? "",
    sentAt: new Date(Number(message.internalDate ?? clock.now())).toISOString(),
  };
}

async function readHeaders(
  deps: GmailDeps,
  caller: Caller,
  id: string,
): Promise<gmail_v1.Schema$Message | undefined> {
  return await ifFound(
    readFromGoogle(deps, caller, ({ gmail }, options) =>
      gmail.users.messages.get(
        { userId: "me", id, format: "metadata", metadataHeaders: [markHeader, attemptHeader] },
        options,
      ),
    ),
  );
}
