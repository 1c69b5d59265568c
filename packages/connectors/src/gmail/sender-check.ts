import type { gmail_v1 } from "@googleapis/gmail";
import type { addressParser } from "postal-mime";
import { isAddress, type Address } from "../addresses.ts";
import { headerOf } from "./read-mail.ts";

/** Whether the receiving server has confirmed that the mail is from the domain of its sender. */
export function isSenderVerified(message: gmail_v1.Schema$Message): boolean {
  const results = headerOf(message, "Authentication-Results").toLowerCase();
  return (
    /\bdmarc=(?:pass|bestguesspass)\b/.test(results) ||
    (!/\bdmarc=fail\b/.test(results) && /\bdkim=pass\b/.test(results))
  );
}

export function isAccount(address: string, account: string): boolean {
  return address.toLowerCase() === account.toLowerCase();
}

/** All valid addresses in a header, with groups expanded. */
export function headerAddresses(header: string, parse: typeof addressParser): Address[] {
  return parse(header)
    .flatMap((entry) => entry.group ?? [entry])
    .flatMap(({ name, address }) =>
      address !== undefined && isAddress(address) ? [{ name: name ?? "", address }] : [],
    );
}
