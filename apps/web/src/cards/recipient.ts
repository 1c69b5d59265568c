import type { PermissionsView } from "@bron/protocol";

export interface Recipient {
  /** What the message or the owner's trusted contacts call the address. */
  readonly name: string | undefined;
  readonly address: string;
  /**
   * Undefined while the contacts are not known, for what is no address, and for other people of the
   * owner's organization. Whether the owner has emailed them is not known here.
   */
  readonly standing: "trusted" | "outside" | undefined;
}

interface Known {
  readonly account: string;
  readonly contacts: PermissionsView["allowed"] | undefined;
}

/** A recipient as a person reads it: "Eva Brandt <eva@brandt.example>" has a name and an address. */
export function describeRecipient(value: string, { account, contacts }: Known): Recipient {
  const open = value.endsWith(">") ? value.lastIndexOf("<") : -1;
  const address = open === -1 ? value.trim() : value.slice(open + 1, -1).trim();
  const written = open === -1 ? "" : withoutQuotes(value.slice(0, open).trim());
  const lower = address.toLowerCase();
  const domain = domainOf(lower);
  if (contacts === undefined || domain === undefined)
    return { name: written === "" ? undefined : written, address, standing: undefined };
  const contact = contacts.find(({ kind, value: known }) =>
    kind === "person"
      ? known.toLowerCase() === lower
      : known.toLowerCase().replace(/^@/, "") === domain,
  );
  const name = contact?.name ?? (written === "" ? undefined : written);
  const isInside = domain === domainOf(account.toLowerCase());
  return { name, address, standing: contact ? "trusted" : isInside ? undefined : "outside" };
}

function domainOf(address: string): string | undefined {
  const at = address.lastIndexOf("@");
  return at === -1 ? undefined : address.slice(at + 1);
}

function withoutQuotes(name: string): string {
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
}
