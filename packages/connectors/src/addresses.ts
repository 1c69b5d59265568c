import { BronError } from "@bron/core";
import { checkOneLine, isEncodedWord } from "./one-line.ts";

export interface Address {
  readonly name: string;
  readonly address: string;
}

/** RFC 5322's dot-atom on both sides; what is more exotic is refused rather than guessed. */
const addressPattern =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

/** `eva@x.example` or `Eva Berg <eva@x.example>`, one at a time. A line break in an address would add a recipient. */
export function parseAddress(text: string): Address {
  const refuse = (why: string): never => {
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(text)} is not one mail address: ${why}.`,
    );
  };
  checkOneLine("The address", text);
  const { name, address } = splitMailbox(text.trim());
  if (isEncodedWord(name)) refuse("its name would be read as another");
  if (!isAddress(address)) refuse("it must look like name@example.com");
  return { name, address };
}

/** `Name <address>`, with the name in quotes or without marks that mean something else; what is not like that is all address. */
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
