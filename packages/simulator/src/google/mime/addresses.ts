import { addressParser } from "postal-mime";
import { decodeHeader, type HeaderField } from "./header-fields.ts";

export interface MailAddress {
  readonly name: string;
  /** Lowercase. */
  readonly address: string;
}

/** The addresses in all headers of a name, with groups expanded. */
export function headerAddresses(fields: readonly HeaderField[], name: string): MailAddress[] {
  const wanted = name.toLowerCase();
  return fields
    .filter((field) => field.name.toLowerCase() === wanted)
    .flatMap((field) => parseAddresses(field.value));
}

function parseAddresses(value: string): MailAddress[] {
  return addressParser(value, { flatten: true }).flatMap((one) => {
    if (!("address" in one) || one.address === undefined) return [];
    return [{ name: decodeHeader(one.name ?? ""), address: one.address.toLowerCase() }];
  });
}

/** Addresses that Gmail accepts. Looser than RFC 5321. */
export function isAddress(text: string): boolean {
  return /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\]+$/.test(text);
}
