import { normalizeHost } from "@bron/core";
import type { gmail_v1 } from "@googleapis/gmail";
import type { addressParser } from "postal-mime";
import { isAddress, type Address } from "../addresses.ts";
import { headerOf } from "./read-mail.ts";

/**
 * Whether the receiving server has confirmed that the mail is from the domain of its sender. Without
 * a DMARC policy, a signature or an envelope of that domain counts: everyone can sign as themselves.
 */
export function isSenderVerified(message: gmail_v1.Schema$Message, sender: string): boolean {
  const results = readResults(headerOf(message, "Authentication-Results"));
  const dmarc = results.filter(({ method }) => method === "dmarc");
  if (dmarc.length > 0)
    return dmarc.every(({ result }) => result === "pass" || result === "bestguesspass");
  const domain = domainOf(sender);
  return results.some(
    ({ method, result, domains }) =>
      result === "pass" &&
      domains.some(
        ([property, of]) => property === signedBy[method] && isSameOrganization(of, domain),
      ),
  );
}

/** Which property has the domain that a method has checked. */
const signedBy: Readonly<Record<string, string>> = {
  dkim: "header.i",
  spf: "smtp.mailfrom",
};

interface AuthenticationResult {
  readonly method: string;
  readonly result: string;
  /** The domains in its properties, such as `header.i`. */
  readonly domains: readonly (readonly [property: string, domain: string])[];
}

/**
 * Reads the header (RFC 8601). Senders choose parts of it, such as the address of the envelope, so a
 * word counts only at the place of a result. Nothing is read if quoting makes places unclear.
 */
function readResults(header: string): readonly AuthenticationResult[] {
  if (/["\\]/.test(header)) return [];
  return withoutComments(header.toLowerCase())
    .split(";")
    .slice(1)
    .flatMap((entry) => {
      const [first = "", ...properties] = entry.trim().split(/\s+/);
      const [method, result, ...others] = first.split("=");
      if (!method || !result || others.length > 0) return [];
      const domains = properties.map((property) => {
        const [name = ""] = property.split("=", 1);
        return [name, domainOf(property.slice(name.length + 1))] as const;
      });
      return [{ method, result, domains }];
    });
}

function withoutComments(text: string): string {
  let depth = 0;
  let kept = "";
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (depth === 0) kept += character;
    // Without its opening bracket, the place of a word is unclear.
    if (depth < 0) return "";
  }
  return depth === 0 ? kept : "";
}

function domainOf(address: string): string {
  return normalizeHost(address.slice(address.lastIndexOf("@") + 1));
}

function isSameOrganization(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
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
