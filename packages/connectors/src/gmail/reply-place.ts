import { BronError, type ToolContext } from "@bron/core";
import { readFromGoogle } from "../google/call-google.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import type { gmail_v1 } from "@googleapis/gmail";
import type { addressParser } from "postal-mime";
import { formatAddress, isAddress, type Address } from "../addresses.ts";
import type { MailPlace } from "./prepared-mail.ts";
import { headerOf } from "./read-mail.ts";

export interface ReplyPlace {
  readonly place: MailPlace;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
}

/** Where an answer in a conversation goes: to whoever wrote last and is not the owner. */
export async function placeInThread(
  deps: GmailDeps,
  context: ToolContext,
  { account, threadId, everyone }: { account: string; threadId: string; everyone: boolean },
): Promise<ReplyPlace> {
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
  const kept = messages.filter(({ labelIds }) => labelIds?.includes("DRAFT") !== true);
  const { addressParser: parse } = await import("postal-mime");
  const isOwnMail = (message: gmail_v1.Schema$Message) =>
    addressesIn(headerOf(message, "From"), parse).some(({ address }) =>
      isAccount(address, account),
    );
  const last = kept.findLast((message) => !isOwnMail(message)) ?? kept.at(-1);
  if (!last) throw new BronError("not_found", `There is no conversation ${threadId}.`);
  const to = addressesIn(
    isOwnMail(last) ? headerOf(last, "To") : headerOf(last, "Reply-To") || headerOf(last, "From"),
    parse,
  );
  const known = new Set(
    [account, ...to.map(({ address }) => address)].map((address) => address.toLowerCase()),
  );
  const others = everyone
    ? addressesIn(`${headerOf(last, "To")}, ${headerOf(last, "Cc")}`, parse).filter(
        ({ address }) => !known.has(address.toLowerCase()),
      )
    : [];
  const subject = headerOf(last, "Subject");
  const messageId = headerOf(last, "Message-ID");
  return {
    place: {
      account,
      threadId,
      inReplyTo: messageId,
      references: [...headerOf(last, "References").split(/\s+/).filter(Boolean), messageId],
      warnings: isOwnMail(last) ? [] : warningsAbout(last, to, parse),
    },
    to: to.map(formatAddress),
    cc: others.map(formatAddress),
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
  };
}

/** A Reply-To elsewhere, and senders that nobody could verify, are what impostors use. */
function warningsAbout(
  message: gmail_v1.Schema$Message,
  to: readonly Address[],
  parse: typeof addressParser,
): string[] {
  const [from] = addressesIn(headerOf(message, "From"), parse);
  const elsewhere = to
    .filter(({ address }) => from && !isAccount(address, from.address))
    .map(({ address }) => address);
  const results = headerOf(message, "Authentication-Results").toLowerCase();
  return [
    ...(elsewhere.length > 0 && from
      ? [
          `The mail that is answered came from ${from.address}, but wants its answer at ${elsewhere.join(", ")}.`,
        ]
      : []),
    ...(results !== "" &&
    !/\bdmarc=(?:pass|bestguesspass)\b/.test(results) &&
    (/\bdmarc=fail\b/.test(results) || !/\bdkim=pass\b/.test(results))
      ? ["Nobody could verify that the mail that is answered came from its sender."]
      : []),
  ];
}

function isAccount(address: string, account: string): boolean {
  return address.toLowerCase() === account.toLowerCase();
}

/** Everybody in a header who can be written to; groups are resolved, and what is no address is left out. */
function addressesIn(header: string, parse: typeof addressParser): Address[] {
  return parse(header)
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ name, address }) =>
      address !== undefined && isAddress(address) ? [{ name: name ?? "", address }] : [],
    );
}
