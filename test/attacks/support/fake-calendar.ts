import type { CalendarClient } from "../../../packages/connectors/src/google/calendar-service.ts";

/** An event in the fake calendar. */
export interface FakeEvent {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly location?: string;
  /** Addresses of the guests, without the owner. */
  readonly guests?: readonly string[];
  /** By default the owner. */
  readonly organizer?: string;
  /** Every guest may change it. */
  readonly guestsCanModify?: true;
  /** Google made it from a mail. */
  readonly isFromMail?: true;
  /** Bron added or changed it. */
  readonly isMarked?: true;
  /** Google leaves guests out of the list. */
  readonly attendeesOmitted?: true;
}

interface StoredEvent {
  readonly id: string;
  readonly summary: string;
  readonly [field: string]: unknown;
}

/** Google Calendar's client in this process, with the methods that the tools use. */
export function fakeCalendar(owner: string, events: readonly FakeEvent[]): CalendarClient {
  const stored = new Map(events.map((event) => [event.id, toStored(owner, event)]));
  const api = {
    list: async ({ q = "" }: { q?: string }) => ({
      data: {
        timeZone: "Europe/Berlin",
        accessRole: "owner",
        items: [...stored.values()].filter(({ summary }) =>
          q
            .toLowerCase()
            .split(/\s+/)
            .every((word) => summary.toLowerCase().includes(word)),
        ),
      },
    }),
    get: async ({ eventId }: { eventId: string }) => ({ data: found(stored.get(eventId)) }),
    async insert({ requestBody }: { requestBody: StoredEvent }) {
      const event = { ...requestBody, etag: '"1"', status: "confirmed" };
      stored.set(event.id, event);
      return { data: event };
    },
    async patch({ eventId, requestBody }: { eventId: string; requestBody: object }) {
      const event = { ...found(stored.get(eventId)), ...requestBody, etag: '"2"' };
      stored.set(eventId, event);
      return { data: event };
    },
  };
  return { calendar: { events: api } } as unknown as CalendarClient;
}

function found<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw Object.assign(new TypeError("Not found"), {
    response: { status: 404, data: { error: { message: "Not found" } } },
  });
}

function toStored(owner: string, event: FakeEvent): StoredEvent {
  const { id, title, description, location, guests = [], organizer = owner } = event;
  const { guestsCanModify, attendeesOmitted, isFromMail, isMarked } = event;
  const isOwn = organizer === owner;
  return {
    id,
    etag: '"0"',
    status: "confirmed",
    summary: title,
    description,
    location,
    organizer: { email: organizer, self: isOwn },
    creator: { email: organizer, self: isOwn },
    guestsCanModify,
    attendeesOmitted,
    eventType: isFromMail ? "fromGmail" : "default",
    extendedProperties: { private: isMarked ? { [`bron${"0".repeat(32)}`]: "1" } : {} },
    start: { dateTime: "2031-05-12T10:00:00+02:00", timeZone: "Europe/Berlin" },
    end: { dateTime: "2031-05-12T11:00:00+02:00", timeZone: "Europe/Berlin" },
    attendees: [
      { email: owner, self: true, organizer: isOwn },
      ...guests.map((email) => ({ email, responseStatus: "needsAction" })),
    ],
  };
}
