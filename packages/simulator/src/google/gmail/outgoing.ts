import { authenticationResults } from "./authentication-results.ts";
import { randomBytes } from "node:crypto";
import { badRequest } from "../api-error.ts";
import { headerAddresses, isAddress } from "../mime/addresses.ts";
import { headerValue, parseHeaderFields, type HeaderField } from "../mime/header-fields.ts";
import { splitHead } from "../mime/parse-mime.ts";

interface Outgoing {
  /** The message with Google's headers. Keeps Bcc, like the sender's own copy. */
  readonly sent: Buffer;
  /** The message that the recipients get. */
  readonly delivered: (address: string) => Buffer;
  readonly recipients: {
    readonly to: readonly string[];
    readonly cc: readonly string[];
    readonly bcc: readonly string[];
  };
}

interface OutgoingOptions {
  readonly account: { readonly address: string; readonly name: string };
  readonly now: Date;
  readonly messageIds: "replace" | "keep";
}

/** Throws Gmail's error when there is no recipient or an invalid one. */
export function prepareOutgoing(
  raw: Buffer,
  { account, now, messageIds }: OutgoingOptions,
): Outgoing {
  const { head, rest } = splitHead(raw);
  const fields = parseHeaderFields(head);
  const recipients = {
    to: recipientsOf(fields, "To"),
    cc: recipientsOf(fields, "Cc"),
    bcc: recipientsOf(fields, "Bcc"),
  };
  if (recipients.to.length + recipients.cc.length + recipients.bcc.length === 0)
    throw badRequest("Recipient address required");

  const own: string[] = [];
  const dropped = new Set<string>();
  const replace = (name: string, value: string) => {
    dropped.add(name.toLowerCase());
    own.push(`${name}: ${value}`);
  };
  const from = headerAddresses(fields, "From")[0];
  if (from?.address !== account.address) {
    if (from) own.push(`X-Google-Original-From: ${rawValue(fields, "From")}`);
    replace("From", `${account.name} <${account.address}>`);
  }
  if (!headerValue(fields, "Date")) replace("Date", mailDate(now));
  const givenId = headerValue(fields, "Message-ID");
  if (messageIds === "replace" || givenId === "") {
    if (givenId !== "") own.push(`X-Google-Original-Message-ID: ${givenId}`);
    replace("Message-ID", `<CAdemo${randomBytes(24).toString("base64url")}@mail.gmail.example>`);
  }
  const received = `Received: from 424242424242 named unknown by gmailapi.google.example with HTTPREST; ${mailDate(now)}`;
  const compose = (first: readonly string[], without: ReadonlySet<string>) =>
    Buffer.concat([
      Buffer.from(
        [...first, received, ...own, ...keepFields(head, without), "", ""].join("\r\n"),
        "utf8",
      ),
      rest,
    ]);
  return {
    sent: compose([], dropped),
    delivered: (address) =>
      compose(
        [
          `Delivered-To: ${address}`,
          `Return-Path: <${account.address}>`,
          `Authentication-Results: ${authenticationResults(account.address)}`,
        ],
        new Set([...dropped, "bcc"]),
      ),
    recipients,
  };
}

function recipientsOf(fields: readonly HeaderField[], name: "To" | "Cc" | "Bcc"): string[] {
  const addresses = headerAddresses(fields, name).map(({ address }) => address);
  if (addresses.some((address) => !isAddress(address))) throw badRequest(`Invalid ${name} header`);
  return addresses;
}

const rawValue = (fields: readonly HeaderField[], name: string) =>
  fields.find((field) => field.name.toLowerCase() === name.toLowerCase())?.value ?? "";

/** The original header lines. Folded lines stay with their first line. */
function keepFields(head: string, without: ReadonlySet<string>): string[] {
  const fields = head.split(/\r?\n(?![ \t])/).filter((field) => field !== "");
  return fields.filter(
    (field) =>
      !without.has(
        field
          .slice(0, Math.max(0, field.indexOf(":")))
          .trim()
          .toLowerCase(),
      ),
  );
}

export function mailDate(date: Date): string {
  return date.toUTCString().replace("GMT", "+0000");
}
