import type { CalendarClient } from "../google/calendar-service.ts";
import type { GoogleParts } from "../google/google-parts.ts";
import type { KnownPeople } from "../google/known-people.ts";

/** What the calendar's tools are made of. */
export interface CalendarParts extends GoogleParts<CalendarClient> {
  readonly knownPeople: KnownPeople;
}
