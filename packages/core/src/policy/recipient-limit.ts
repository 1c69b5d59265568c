import { BronError } from "../errors.ts";
import type { EffectFacts } from "./effect-facts.ts";
import { domainOf, normalizeAddress } from "./text/names.ts";
import { parseTrustedContact } from "./permissions/rules.ts";

/** The only people who get anything, whatever is approved. */
export interface RecipientLimit {
  readonly people: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
}

/** Parses addresses and domains. Throws invalid_input for anything else. */
export function parseRecipientLimit(entries: readonly string[]): RecipientLimit {
  const people = new Set<string>();
  const domains = new Set<string>();
  for (const entry of entries) {
    const contact = parseTrustedContact(entry);
    if (!contact)
      throw new BronError(
        "invalid_input",
        `${JSON.stringify(entry)} is neither an email address nor a domain such as example.com.`,
      );
    (contact.kind === "person" ? people : domains).add(contact.value);
  }
  return { people, domains };
}

/** The recipients who are outside of the limit. The owner's own address is always inside. */
export function beyondLimit(
  { people, domains }: RecipientLimit,
  { account, recipients }: Pick<EffectFacts, "account" | "recipients">,
): string[] {
  const own = normalizeAddress(account);
  return recipients
    .map(({ address }) => normalizeAddress(address))
    .filter(
      (address) => address !== own && !people.has(address) && !domains.has(domainOf(address)),
    );
}
