import { BronError } from "@bron/core";
import { checkOneLine, isEncodedWord } from "./one-line.ts";

export interface Address {
  readonly name: string;
  readonly address: string;
}

/** RFC 5322's dot-atom on both sides. More exotic addresses are rejected instead of guessed at. */
const addressPattern =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

/**
 * Parses one `eva@x.example` or `Eva Berg <eva@x.example>`. Rejects line breaks, because one inside
 * an address would add a recipient.
 */
export function parseAddress(text: string): Address {
  const refuse = (why: string): never => {
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(text)} is not a valid email address: ${why}.`,
    );
  };
  checkOneLine("The address", text);
  const { name, address } = splitMailbox(text.trim());
  if (isEncodedWord(name)) refuse("mail clients would show a different name");
  if (!isAddress(address)) refuse("use the form name@example.com");
  return { name, address };
}

/**
 * Splits `Name <address>`. The name must be quoted or free of special characters; otherwise the
 * entire text is taken as the address.
 */
function splitMailbox(text: string): Address {
  const opening = text.lastIndexOf("<");
  const before = text.slice(0, Math.max(0, opening));
  const address = text.slice(opening + 1, -1);
  const [, quoted] = /^"([^"\\]*(?:\\.[^"\\]*)*)"\s*$/.exec(before) ?? [];
  if (
    opening === -1 ||
    !text.endsWith(">") ||
    address.includes(">") ||
    (quoted === undefined && /[<>",;:]/.test(before))
  )
    return { name: "", address: text };
  return { name: (quoted?.replaceAll(/\\(.)/g, "$1") ?? before).trim(), address: address.trim() };
}

export function isAddress(text: string): boolean {
  return text.length <= 254 && addressPattern.test(text);
}

export function formatAddress({ name, address }: Address): string {
  return name === ""
    ? address
    : `${/^[\w .'-]*$/.test(name) ? name : JSON.stringify(name)} <${address}>`;
}
