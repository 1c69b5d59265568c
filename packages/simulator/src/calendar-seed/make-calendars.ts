import type { CalendarFacts } from "../google/calendar/calendar-facts.ts";
import type { SeededCalendar } from "../google/calendar/calendars.ts";
import type { StoredEvent } from "../google/calendar/stored-event.ts";
import { companyAccounts, jonas, mara, priya, type Person } from "../mailbox/company.ts";
import { createRandom } from "../mailbox/random.ts";
import { colleagueEvents, teamEvents } from "./company-events.ts";
import { storedEvent, allDayEvent } from "./event-plan.ts";
import { germanHolidays } from "./german-holidays.ts";
import { invitedEvents } from "./invited-events.ts";
import { ownerEvents } from "./owner-events.ts";
import { homeZone, workingDaysAround } from "./working-days.ts";

const everybody = <Role>(role: Role) =>
  Object.fromEntries(companyAccounts.map(({ address }) => [address, role]));

const team: CalendarFacts = {
  id: "c_lindqvistcargo0team0424242@group.calendar.google.com",
  summary: "Lindqvist Cargo",
  description: "What concerns all of us",
  timeZone: homeZone,
  colorId: "9",
  backgroundColor: "#7bd148",
  members: { ...everybody("writer" as const), [mara.address]: "owner" },
};

const holidays: CalendarFacts = {
  id: "de.german#holiday@group.v.calendar.google.com",
  summary: "Feiertage in Deutschland",
  timeZone: homeZone,
  colorId: "8",
  backgroundColor: "#16a765",
  members: everybody("reader" as const),
};

/** Colleagues can see each other's free/busy times. */
const primary = ({ address }: Person): CalendarFacts => ({
  id: address,
  summary: address,
  timeZone: homeZone,
  colorId: "14",
  backgroundColor: "#9fe1e7",
  primaryOf: address,
  members: { [address]: "owner" },
  others: "freeBusyReader",
});

/**
 * The company's calendars around the anchor's day. The same seed and anchor produce the same
 * events.
 */
export function makeCalendars(seed: number, anchor: Date): readonly SeededCalendar[] {
  const days = workingDaysAround(anchor);
  const planning = { days, random: createRandom(seed).fork("calendar"), seed, anchor };
  const events = [
    ...ownerEvents(planning),
    ...invitedEvents(seed, anchor).map(({ event }) => event),
    ...colleagueEvents(planning),
  ];
  const year = days.day(0).year;
  const holidayEvents = [year - 1, year, year + 1].flatMap(germanHolidays).map(({ name, date }) => {
    const plan = {
      name: `holiday-${date.toString()}`,
      organizer: calendarPerson(holidays),
      summary: name,
      start: allDayEvent(date),
      end: allDayEvent(date.add({ days: 1 })),
      transparency: "transparent" as const,
      daysAgo: 400,
    };
    return storedEvent(plan, { seed: 0, anchor });
  });
  return [
    ...[mara, jonas, priya].map((person) => ({
      facts: primary(person),
      events: events.flatMap((event) => copyFor(person, event)),
    })),
    { facts: team, events: teamEvents(planning, calendarPerson(team)) },
    { facts: holidays, events: holidayEvents },
  ];
}

const calendarPerson = ({ id, summary }: CalendarFacts): Person => ({
  name: summary,
  address: id,
  language: "de",
  firm: summary,
});

/** Puts an event into the calendars of its organizer and guests. */
function copyFor({ address }: Person, event: StoredEvent): StoredEvent[] {
  const isInvolved =
    event.organizer.email === address ||
    (event.attendees ?? []).some(({ email }) => email === address);
  return isInvolved ? [event] : [];
}
