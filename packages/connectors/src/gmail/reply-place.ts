import { BronError, type ToolContext } from "@bron/core";
import { readFromGoogle, type CallParts } from "../google/call-google.ts";
import { formatAddress, parseAddress } from "./addresses.ts";
import type { MailPlace } from "./prepared-mail.ts";
import { headerOf } from "./read-mail.ts";

export interface ReplyPlace {
  readonly place: MailPlace;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
}

/** Where an answer in a conversation goes: to whoever wrote last and is not the owner. */
export async function placeInThread(parts: CallParts, context: ToolContext, { account, threadId, everyone }: { account: string; threadId: string; everyone: boolean }): Promise<ReplyPlace> {
  const headers = ["From", "To", "Cc", "Reply-To", "Subject", "Message-ID", "References"];
  const { messages = [] } = await readFromGoogle(parts, context, ({ gmail }, options) => gmail.users.threads.get({ userId: "me", id: threadId, format: "metadata", metadataHeaders: headers }, options));
  const kept = messages.filter(({ labelIds }) => labelIds?.includes("DRAFT") !== true);
  const last = kept.findLast((message) => !includesAccount(headerOf(message, "From"), account)) ?? kept.at(-1);
  if (!last) throw new BronError("not_found", `There is no conversation ${threadId}.`);
  const isOwn = includesAccount(headerOf(last, "From"), account);
  const to = split(isOwn ? headerOf(last, "To") : headerOf(last, "Reply-To") || headerOf(last, "From"));
  const others = everyone ? [...split(headerOf(last, "To")), ...split(headerOf(last, "Cc"))].filter((one) => !includesAccount(one, account) && !to.includes(one)) : [];
  const subject = headerOf(last, "Subject");
  const messageId = headerOf(last, "Message-ID");
  return {
    place: { account, threadId, inReplyTo: messageId, references: [...headerOf(last, "References").split(/\s+/).filter(Boolean), messageId] },
    to,
    cc: others,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
  };
}

function includesAccount(header: string, account: string): boolean {
  return header.toLowerCase().includes(account.toLowerCase());
}

/** Addresses of a header; commas inside quotes do not separate. */
function split(header: string): string[] {
  return [...header.matchAll(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g)].map(([one]) => formatAddress(parseAddress(one.trim())));
}
