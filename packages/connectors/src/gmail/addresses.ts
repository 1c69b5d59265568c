import { BronError } from "@bron/core";

export interface Address {
  readonly name: string;
  readonly address: string;
}

/** RFC 5322's dot-atom on both sides; what is more exotic is refused rather than guessed. */
const addressPattern = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;
const maxRecipients = 50;

/** `eva@x.example` or `Eva Berg <eva@x.example>`, one at a time. A line break in an address would add a recipient. */
export function parseAddress(text: string): Address {
  const refuse = (why: string): never => {
    throw new BronError("invalid_arguments", `${JSON.stringify(text)} is not one mail address: ${why}.`);
  };
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)) refuse("it has control characters");
  const [, quoted, plain, inner] = /^(?:"((?:[^"\\]|\\.)*)"|([^<>",;:]*))\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (inner ?? text).trim();
  if (address.length > 254 || !addressPattern.test(address)) refuse("it must look like name@example.com");
  return { name: (quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "").trim(), address };
}

export function parseAddresses(texts: readonly string[]): Address[] {
  if (texts.length > maxRecipients) throw new BronError("invalid_arguments", `${texts.length} recipients are more than the ${maxRecipients} of one mail.`);
  return texts.map(parseAddress);
}

export function formatAddress({ name, address }: Address): string {
  return name === "" ? address : `${/^[\w .'-]*$/.test(name) ? name : JSON.stringify(name)} <${address}>`;
}
