import { normalizeAddress, type ToolContext } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import type { GmailDeps } from "./gmail-deps.ts";
import { headerOf } from "./read-mail.ts";
import { headerAddresses, isSenderVerified } from "./sender-check.ts";

/** The sender, if verified. Replies must go to them. */
export async function verifiedSender(
  message: gmail_v1.Schema$Message,
): Promise<string | undefined> {
  const { addressParser } = await import("postal-mime");
  const from = headerAddresses(headerOf(message, "From"), addressParser);
  const [sender, ...others] = from.map(({ address }) => normalizeAddress(address));
  const replies = headerAddresses(headerOf(message, "Reply-To"), addressParser);
  const isElsewhere = replies.some(({ address }) => normalizeAddress(address) !== sender);
  if (
    sender === undefined ||
    others.length > 0 ||
    isElsewhere ||
    !isSenderVerified(message, sender)
  )
    return undefined;
  return sender;
}

/** The verified sender, if the owner has written to them by hand. */
export async function knownSender(
  { knownPeople }: Pick<GmailDeps, "knownPeople">,
  message: gmail_v1.Schema$Message,
  context: ToolContext,
): Promise<string | undefined> {
  const sender = await verifiedSender(message);
  if (sender === undefined) return undefined;
  return (await knownPeople(context, [sender])).length === 0 ? undefined : sender;
}
