import { z } from "zod";

/** The accepted forms of a time, for the model. */
export const timeWords =
  "2026-03-30T09:00 (local time), 2026-03-30T09:00+02:00, or a day such as 2026-03-30";

const words = {
  summary: z.string().min(1).max(1_000),
  location: z.string().max(1_000),
  description: z.string().max(8_000),
};
const start = z.string().describe(`Start: ${timeWords}. A day makes it an all-day event.`);
const end = z.string().describe("End, in the same form. For an all-day event, its last day.");
const guest = z.string().describe("name@example.com or Name <name@example.com>");
const timeZone = z
  .string()
  .describe("Zone of the local times, such as Europe/Berlin. Defaults to the calendar's own.");
const notifyGuests = z.boolean().default(true).describe("Whether guests get an email about it");
const recurrence = z
  .string()
  .max(500)
  .describe("One RFC 5545 rule, such as RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10");

const calendarId = z.string().min(1).max(300).default("primary");

export const createInput = z.object({
  summary: words.summary,
  start,
  end: end.optional(),
  durationMinutes: z.number().int().min(1).max(40_320).optional().describe("Instead of an end"),
  timeZone: timeZone.optional(),
  location: words.location.default(""),
  description: words.description.default(""),
  guests: z.array(guest).max(100).default([]),
  notifyGuests,
  recurrence: recurrence.optional(),
  calendarId,
});

export const updateInput = z.object({
  eventId: z
    .string()
    .min(1)
    .max(1_100)
    .describe("Id of an event or of one occurrence. Use the seriesId to change an entire series."),
  summary: words.summary.optional(),
  start: start.optional(),
  end: end.optional(),
  timeZone: timeZone.optional(),
  location: words.location.optional(),
  description: words.description.optional(),
  addGuests: z.array(guest).max(100).default([]),
  removeGuests: z.array(guest).max(100).default([]),
  notifyGuests,
  recurrence: recurrence.optional(),
  calendarId,
});

export const searchInput = z.object({
  query: z
    .string()
    .max(500)
    .default("")
    .describe("Words in title, description, location or guests. Empty finds all events"),
  from: z.string().optional().describe(`Start: ${timeWords}. Defaults to today.`),
  to: z
    .string()
    .optional()
    .describe("End, in the same form. A day is included in full. Defaults to two weeks later."),
  timeZone: z
    .string()
    .optional()
    .describe("Zone to show times in, such as Europe/Berlin. Defaults to the calendar's own."),
  maxResults: z.number().int().min(1).max(100).default(50),
  page: z
    .string()
    .max(2_000)
    .optional()
    .describe("nextPage of the previous result. Keep all other arguments the same"),
  calendarId,
});
