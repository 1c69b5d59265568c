import type { CalendarClient } from "../google/calendar-service.ts";
import type { GoogleDeps } from "../google/google-deps.ts";
import type { KnownPeople } from "../google/known-people.ts";
import type { PeopleNamed } from "@bron/core";

export interface CalendarDeps extends GoogleDeps<CalendarClient> {
  readonly knownPeople: KnownPeople;
  readonly peopleNamed: PeopleNamed;
}
