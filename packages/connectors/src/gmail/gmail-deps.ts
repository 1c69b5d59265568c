import type { PeopleNamed } from "@bron/core";
import type { GmailClient } from "../google/gmail-service.ts";
import type { GoogleDeps } from "../google/google-deps.ts";
import type { KnownPeople } from "../google/known-people.ts";

export interface GmailDeps extends GoogleDeps<GmailClient> {
  readonly knownPeople: KnownPeople;
  readonly peopleNamed: PeopleNamed;
}
