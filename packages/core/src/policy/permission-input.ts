import { BronError } from "../errors.ts";
import { normalizeAddress } from "./names.ts";
import { parseTrustedContact } from "./rules.ts";

/** Parses an entry that the owner adds to the trusted contacts. Throws invalid_input. */
export function requireContact(text: string): {
  readonly kind: "person" | "domain";
  readonly value: string;
} {
  const contact = parseTrustedContact(text);
  if (contact) return contact;
  throw new BronError(
    "invalid_input",
    `${JSON.stringify(text)} is neither an email address nor a domain such as example.com.`,
  );
}

/** Parses the recipient of a grant. Throws invalid_input. */
export function requireRecipient(text: string): string {
  const contact = parseTrustedContact(normalizeAddress(text));
  if (contact?.kind === "person") return contact.value;
  throw new BronError(
    "invalid_input",
    `${JSON.stringify(text)} is not an email address. A grant is for one recipient.`,
  );
}
