import type { GmailClient } from "../google/gmail-service.ts";
import type { GoogleDeps } from "../google/google-deps.ts";
import type { KnownPeople } from "../google/known-people.ts";
import type { PeopleNamed } from "../google/people-named.ts";

export interface GmailDeps extends GoogleDeps<GmailClient> {
  readonly knownPeople: KnownPeople;
  readonly peopleNamed: PeopleNamed;
}
