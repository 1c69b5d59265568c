import type { CalendarClient } from "../google/calendar-service.ts";
import type { GoogleDeps } from "../google/google-deps.ts";
import type { KnownPeople } from "../google/known-people.ts";

export interface CalendarDeps extends GoogleDeps<CalendarClient> {
  readonly knownPeople: KnownPeople;
}
