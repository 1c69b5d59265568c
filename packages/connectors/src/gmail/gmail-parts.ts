import type { GmailClient } from "../google/gmail-service.ts";
import type { GoogleParts } from "../google/google-parts.ts";
import type { KnownPeople } from "../google/known-people.ts";

/** What Gmail's tools are made of. */
export interface GmailParts extends GoogleParts<GmailClient> {
  readonly knownPeople: KnownPeople;
}
