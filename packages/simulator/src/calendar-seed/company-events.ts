import type { StoredEvent } from "../google/calendar/stored-event.ts";
import { camille, jonas, payrollOffice, priya, tomasz, type Person } from "../mailbox/company.ts";
import { clock, storedEvent, allDayEvent, type EventPlan } from "./event-plan.ts";
import type { WorkingDays } from "./working-days.ts";

interface Planning {
  readonly days: WorkingDays;
  readonly seed: number;
  readonly anchor: Date;
}

/** Events of colleagues that the owner does not attend. */
export function colleagueEvents({ days: { day, monday }, seed, anchor }: Planning): StoredEvent[] {
  const plans: EventPlan[] = [
    {
      name: "wheels",
      organizer: jonas,
      summary: "Wheel building with the apprentices",
      location: "Workshop",
      start: clock(day(1), "13:00"),
      end: clock(day(1), "15:00"),
    },
    {
      name: "jig",
      organizer: jonas,
      summary: "Jig for the long frame",
      start: clock(day(2), "11:00"),
      end: clock(day(2), "12:00"),
      guests: [[tomasz, "accepted"]],
    },
    {
      name: "safety",
      organizer: jonas,
      summary: "Safety training",
      start: clock(day(4), "8:00"),
      end: clock(day(4), "12:00"),
      guests: [[priya, "accepted"]],
    },
    {
      name: "bike-14",
      organizer: jonas,
      summary: "Fetch bike 14",
      start: clock(day(5), "16:00"),
      end: clock(day(5), "16:30"),
    },
    {
      name: "payroll",
      organizer: priya,
      summary: "Payroll, Kanzlei Steiner",
      start: clock(day(1), "9:45"),
      end: clock(day(1), "10:30"),
      guests: [[payrollOffice, "accepted"]],
    },
    {
      name: "applicants",
      organizer: priya,
      summary: "Interviews: workshop assistant",
      start: clock(day(3), "9:30"),
      end: clock(day(3), "12:00"),
      guests: [[jonas, "tentative"]],
    },
    {
      name: "french",
      organizer: priya,
      summary: "French lesson",
      start: clock(monday(-3).add({ days: 2 }), "17:30"),
      end: clock(monday(-3).add({ days: 2 }), "18:30"),
      recurrence: ["RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=WE"],
      visibility: "private",
    },
  ];
  return plans.map((plan) => storedEvent(plan, { seed, anchor }));
}

/** Events of the shared team calendar. */
export function teamEvents(
  { days: { day, monday }, seed, anchor }: Planning,
  organizer: Person,
): StoredEvent[] {
  const plans: EventPlan[] = [
    {
      name: "all-hands",
      organizer,
      summary: "All hands",
      location: "Canteen",
      start: clock(monday(-3).add({ days: 4 }), "12:00"),
      end: clock(monday(-3).add({ days: 4 }), "12:30"),
      recurrence: ["RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"],
    },
    {
      name: "inventory",
      organizer,
      summary: "Inventory, shelves A to D",
      start: allDayEvent(day(7)),
      end: allDayEvent(day(7).add({ days: 1 })),
    },
    {
      name: "camille-off",
      organizer,
      summary: `${camille.name} on holiday`,
      start: allDayEvent(day(4)),
      end: allDayEvent(day(6).add({ days: 1 })),
      transparency: "transparent",
    },
    {
      name: "truck",
      organizer,
      summary: "Truck from Brandt Metall",
      location: "Ramp 1",
      start: clock(day(2), "7:30"),
      end: clock(day(2), "8:00"),
    },
  ];
  return plans.map((plan) => storedEvent(plan, { seed, anchor }));
}
