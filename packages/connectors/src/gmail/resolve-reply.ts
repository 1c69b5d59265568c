import { actionFailure, type ToolContext } from "@bron/core";
import type { FormReads } from "@bron/protocol";
import { readFromGoogle } from "../google/call-google.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import type { gmail_v1 } from "@googleapis/gmail";
import type { addressParser } from "postal-mime";
import { formatAddress, type Address } from "../addresses.ts";
import { mailItem } from "./mail-item.ts";
import type { MailEnvelope } from "./prepared-mail.ts";
import { dateOf, headerOf } from "./read-mail.ts";
import { headerAddresses, isAccount, isSenderVerified } from "./sender-check.ts";

export interface ResolvedReply {
  readonly envelope: MailEnvelope;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** The headers that the reply is made of. Its recipients know them. */
  readonly reads: FormReads;
}

/** Resolves a reply in a thread. It goes to the last sender who is not the owner. */
export async function resolveReply(
  deps: GmailDeps,
  context: ToolContext,
  { account, threadId, everyone }: { account: string; threadId: string; everyone: boolean },
): Promise<ResolvedReply> {
  const headers = [
    "From",
    "To",
    "Cc",
    "Reply-To",
    "Subject",
    "Message-ID",
    "References",
    "Authentication-Results",
  ];
  const { messages = [] } = await readFromGoogle(deps, context, ({ gmail }, options) =>
    gmail.users.threads.get(
      { userId: "me", id: threadId, format: "metadata", metadataHeaders: headers },
      options,
    ),
  );
  const sentMessages = messages.filter(({ labelIds }) => labelIds?.includes("DRAFT") !== true);
  const { addressParser: parse } = await import("postal-mime");
  const isOwnMail = (message: gmail_v1.Schema$Message) =>
    headerAddresses(headerOf(message, "From"), parse).some(({ address }) =>
      isAccount(address, account),
    );
  const last = sentMessages.findLast((message) => !isOwnMail(message)) ?? sentMessages.at(-1);
  if (!last) throw actionFailure("not_found", { code: "thread_missing", threadId });
  const to = headerAddresses(
    isOwnMail(last) ? headerOf(last, "To") : headerOf(last, "Reply-To") || headerOf(last, "From"),
    parse,
  );
  const alreadyAddressed = new Set(
    [account, ...to.map(({ address }) => address)].map((address) => address.toLowerCase()),
  );
  const others = everyone
    ? headerAddresses(`${headerOf(last, "To")}, ${headerOf(last, "Cc")}`, parse).filter(
        ({ address }) => !alreadyAddressed.has(address.toLowerCase()),
      )
    : [];
  const subject = headerOf(last, "Subject");
  const messageId = headerOf(last, "Message-ID");
  return {
    envelope: {
      account,
      threadId,
      inReplyTo: messageId,
      references: [...headerOf(last, "References").split(/\s+/).filter(Boolean), messageId],
      warnings: isOwnMail(last) ? [] : warningsAbout(last, to, parse),
    },
    to: to.map(formatAddress),
    cc: others.map(formatAddress),
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    reads: { results: [readOf(last)], writers: [] },
  };
}

function readOf(message: gmail_v1.Schema$Message): FormReads["results"][number] {
  const headers = { subject: headerOf(message, "Subject"), from: headerOf(message, "From") };
  const item = mailItem({ ...headers, date: dateOf(message) });
  return {
    label: {
      origin: "mail",
      trusted: false,
      private: false,
      readers: [],
      parts: [{ path: [], item }],
    },
    value: headers,
  };
}

/** Impostors use a foreign Reply-To address or a sender that cannot be verified. */
function warningsAbout(
  message: gmail_v1.Schema$Message,
  to: readonly Address[],
  parse: typeof addressParser,
): string[] {
  const [from] = headerAddresses(headerOf(message, "From"), parse);
  const elsewhere = to
    .filter(({ address }) => from && !isAccount(address, from.address))
    .map(({ address }) => address);
  return [
    ...(elsewhere.length > 0 && from
      ? [`The original email came from ${from.address}, but replies go to ${elsewhere.join(", ")}.`]
      : []),
    ...(headerOf(message, "Authentication-Results") !== "" &&
    !isSenderVerified(message, from?.address ?? "")
      ? ["The sender of the original email couldn't be verified."]
      : []),
  ];
}
