import type { GrantView } from "@bron/protocol";
import { BronError } from "../../errors.ts";
import { parseHostPattern } from "./host-pattern.ts";
import { normalizeAddress } from "../text/names.ts";
import { parseTrustedContact, type TrustedContact } from "./rules.ts";

/** Parses an entry that the owner adds to the trusted contacts. Throws invalid_input. */
export function requireContact(text: string): TrustedContact {
  const contact = parseTrustedContact(text);
  if (contact) return contact;
  throw new BronError(
    "invalid_input",
    `${JSON.stringify(text)} is neither an email address nor a domain such as example.com.`,
  );
}

/** Parses the recipient of a grant. Throws invalid_input. */
function requireRecipient(text: string): string {
  const contact = parseTrustedContact(normalizeAddress(text));
  if (contact?.kind === "person") return contact.value;
  throw new BronError(
    "invalid_input",
    `${JSON.stringify(text)} is not an email address. A grant is for one recipient.`,
  );
}

/** Parses the host pattern of a rule or grant. Throws invalid_input. */
export function requireHostPattern(text: string): string {
  const pattern = parseHostPattern(text);
  if (pattern !== undefined) return pattern;
  throw new BronError(
    "invalid_input",
    `${JSON.stringify(text)} is not a host. Use example.com for one host, or *.example.com for the hosts below it, without https:// and port. A star cannot stand before an IP address or a suffix such as com or github.io.`,
  );
}

/** What a grant names, in the form in which it is stored. */
type GrantTarget = Pick<GrantView, "recipient" | "host" | "server">;

/** Checks that a grant names exactly one target. Throws invalid_input. */
export function requireGrantTarget({
  tool,
  recipient = null,
  host = null,
  server = null,
}: { readonly tool: string } & Partial<GrantTarget>): GrantTarget {
  const named = [recipient, host, server].filter((target) => target !== null);
  if (named.length !== 1)
    throw new BronError("invalid_input", "A grant is for one recipient, one host or one server.");
  if (server === null && tool.endsWith("*"))
    throw new BronError(
      "invalid_input",
      "A grant is for one tool. Only a grant for a server may have a star.",
    );
  return {
    recipient: recipient === null ? null : requireRecipient(recipient),
    host: host === null ? null : requireHostPattern(host),
    server,
  };
}
