import type { CalendarFacts } from "./calendar-facts.ts";
import type { EventBook } from "./instances.ts";
import type { StoredEvent } from "./stored-event.ts";

export interface SeededCalendar {
  readonly facts: CalendarFacts;
  readonly events: readonly StoredEvent[];
}

/** One calendar with its events, including deleted ones. Only `put` changes it. */
export interface Calendar extends EventBook {
  readonly facts: CalendarFacts;
  /** In insertion order. */
  readonly events: () => readonly StoredEvent[];
  /** The number of changes of this calendar. */
  readonly changes: () => number;
  /** The number of the event's last change. */
  readonly changeOf: (eventId: string) => number;
  readonly put: (event: StoredEvent) => void;
}

export interface Calendars {
  readonly all: () => readonly Calendar[];
  readonly find: (calendarId: string) => Calendar | undefined;
}

export function createCalendars(seeded: readonly SeededCalendar[]): Calendars {
  const calendars = new Map(
    seeded.map(({ facts, events }) => [facts.id, createCalendar(facts, events)]),
  );
  return { all: () => [...calendars.values()], find: (calendarId) => calendars.get(calendarId) };
}

function createCalendar(facts: CalendarFacts, seeded: readonly StoredEvent[]): Calendar {
  const events = new Map<string, StoredEvent>();
  const exceptions = new Map<string, Set<string>>();
  const changed = new Map<string, number>();
  let changes = 0;

  function put(event: StoredEvent): void {
    changes += 1;
    changed.set(event.id, changes);
    events.set(event.id, event);
    if (event.recurringEventId === undefined) return;
    const siblings = exceptions.get(event.recurringEventId) ?? new Set();
    exceptions.set(event.recurringEventId, siblings.add(event.id));
  }

  for (const event of seeded) put(event);
  return {
    facts,
    timeZone: facts.timeZone,
    event: (id) => events.get(id),
    events: () => [...events.values()],
    exceptionsOf: (seriesId) =>
      [...(exceptions.get(seriesId) ?? [])].flatMap((id) => events.get(id) ?? []),
    changes: () => changes,
    changeOf: (id) => changed.get(id) ?? 0,
    put,
  };
}
