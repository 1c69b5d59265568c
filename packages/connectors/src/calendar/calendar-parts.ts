import type { CalendarClient } from "../google/calendar-service.ts";
import type { GoogleParts } from "../google/google-parts.ts";

/** What the calendar's tools are made of. */
export type CalendarParts = GoogleParts<CalendarClient>;
