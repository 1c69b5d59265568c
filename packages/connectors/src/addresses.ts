import { BronError } from "@bron/core";
import { checkOneLine, isEncodedWord } from "./one-line.ts";

export interface Address {
  readonly name: string;
  readonly address: string;
}

/** RFC 5322's dot-atom on both sides; what is more exotic is refused rather than guessed. */
const addressPattern = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

/** `eva@x.example` or `Eva Berg <eva@x.example>`, one at a time. A line break in an address would add a recipient. */
export function parseAddress(text: string): Address {
  const refuse = (why: string): never => {
    throw new BronError("invalid_arguments", `${JSON.stringify(text)} is not one mail address: ${why}.`);
  };
  checkOneLine("The address", text);
  const [, quoted, plain, inner] = /^(?:"((?:[^"\\]|\\.)*)"|([^<>",;:]*))\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (inner ?? text).trim();
  const name = (quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "").trim();
  if (isEncodedWord(name)) refuse("its name would be read as another");
  if (!isAddress(address)) refuse("it must look like name@example.com");
  return { name, address };
}

export function isAddress(text: string): boolean {
  return text.length <= 254 && addressPattern.test(text);
}

export function formatAddress({ name, address }: Address): string {
  return name === "" ? address : `${/^[\w .'-]*$/.test(name) ? name : JSON.stringify(name)} <${address}>`;
}
