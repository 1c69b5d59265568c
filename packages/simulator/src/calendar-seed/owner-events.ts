import type { Temporal } from "temporal-polyfill";
import type { StoredEvent } from "../google/calendar/stored-event.ts";
import {
  ben,
  camille,
  customers,
  jonas,
  lea,
  mara,
  oskar,
  priya,
  suppliers,
  type Person,
} from "../mailbox/company.ts";
import type { Random } from "../mailbox/random.ts";
import { clock, exceptionOf, storedEvent, allDayEvent, type EventPlan } from "./event-plan.ts";
import type { WorkingDays } from "./working-days.ts";

interface Planning {
  readonly days: WorkingDays;
  readonly random: Random;
  readonly seed: number;
  readonly anchor: Date;
}

const rooms = ["Meeting room 2", "The glass box", "Workshop office"];

const [schroeder, dubois, hughes, , hofmann] = customers;
const [brandt, , stone, , huber] = suppliers;

/** The owner's two overbooked weeks. */
export function ownerEvents({ days, random, seed, anchor }: Planning): StoredEvent[] {
  const pickRoom = () => random.pick(rooms);
  const plans = [
    ...seriesPlans(days, pickRoom),
    ...pastPlans(days, pickRoom),
    ...firstWeekPlans(days, pickRoom),
    ...secondWeekPlans(days, pickRoom),
  ];
  return [
    ...standUp({ days, seed, anchor }),
    ...plans.map((plan) => storedEvent(plan, { seed, anchor })),
  ];
}

/** Takes place every working day, with one later instance and one canceled instance. */
function standUp({ days: { day, monday }, seed, anchor }: Omit<Planning, "random">): StoredEvent[] {
  const first = monday(-3);
  const plan: EventPlan = {
    name: "stand-up",
    organizer: mara,
    summary: "Stand-up",
    start: clock(first, "9:15"),
    end: clock(first, "9:30"),
    recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
    guests: [
      [jonas, "accepted"],
      [priya, "accepted"],
    ],
    location: "Workshop",
    daysAgo: 30,
  };
  const series = storedEvent(plan, { seed, anchor });
  return [
    series,
    exceptionOf(series, clock(day(2), "9:15"), {
      start: clock(day(2), "10:15"),
      end: clock(day(2), "10:45"),
      summary: "Stand-up with the apprentices",
    }),
    exceptionOf(series, clock(day(4), "9:15"), {
      status: "cancelled",
      start: clock(day(4), "9:15"),
      end: clock(day(4), "9:30"),
    }),
  ];
}

function seriesPlans({ monday }: WorkingDays, pickRoom: () => string): EventPlan[] {
  return [
    {
      name: "one-jonas",
      organizer: mara,
      summary: "1:1 Mara / Jonas",
      ...between(monday(-3).add({ days: 1 }), "14:00", "14:30"),
      recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=TU"],
      guests: [[jonas, "accepted"]],
      location: pickRoom(),
    },
    {
      name: "one-priya",
      organizer: priya,
      summary: "1:1 Priya / Mara",
      ...between(monday(-3).add({ days: 3 }), "11:00", "11:30"),
      recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=TH"],
      guests: [[mara, "accepted"]],
    },
    {
      name: "month-end",
      organizer: mara,
      summary: "Month-end close",
      description: "Open invoices, cash, what moves to next month.",
      ...between(lastFriday(monday(-9)), "16:00", "17:00"),
      recurrence: ["RRULE:FREQ=MONTHLY;BYDAY=-1FR"],
      guests: [[ben, "accepted"]],
      location: pickRoom(),
    },
  ];
}

function pastPlans({ day }: WorkingDays, pickRoom: () => string): EventPlan[] {
  return [
    {
      name: "ulm",
      organizer: mara,
      summary: "Stadtwerke Ulm: eight bikes",
      ...between(day(-2), "10:00", "11:00"),
      guests: [...guest(hofmann), [camille, "accepted"]],
    },
    {
      name: "harbour",
      organizer: mara,
      summary: "Warranty case, Harbour Couriers",
      ...between(day(-4), "15:30", "16:00"),
      guests: guest(hughes),
    },
    {
      name: "photos",
      organizer: lea,
      summary: "Choose the website photos",
      ...between(day(-1), "13:00", "14:00"),
      guests: [[mara, "accepted"]],
      location: pickRoom(),
    },
  ];
}

function firstWeekPlans({ day }: WorkingDays, pickRoom: () => string): EventPlan[] {
  return [
    {
      name: "velo-nord",
      organizer: mara,
      summary: "Velo Nord: delivery dates",
      description: "Ramp times, orange boxes, the open order.",
      ...between(day(1), "10:00", "11:00"),
      guests: guest(schroeder),
    },
    {
      name: "lunch",
      organizer: mara,
      summary: "Lunch with Claire",
      location: "Osteria am Kanal",
      ...between(day(1), "12:30", "13:45"),
      guests: guest(dubois, "tentative"),
    },
    {
      name: "brandt",
      organizer: mara,
      summary: "Supplier call: Brandt Metall",
      description: "Steel prices from January, laser cutting lead time.",
      ...between(day(2), "15:00", "15:45"),
      guests: guest(brandt),
    },
    {
      name: "night-test",
      organizer: mara,
      summary: "Night delivery test",
      location: "Depot North",
      start: clock(day(2), "22:00"),
      end: clock(day(3), "1:00"),
    },
    {
      name: "dentist",
      organizer: mara,
      summary: "Dentist",
      location: "Dr. Yilmaz, Kaiserstraße 12",
      ...between(day(3), "8:00", "9:00"),
      visibility: "private",
    },
    {
      name: "budget",
      organizer: mara,
      summary: "Budget review",
      ...between(day(3), "14:00", "15:00"),
      guests: [
        [ben, "accepted"],
        [priya, "accepted"],
      ],
      location: pickRoom(),
    },
    {
      name: "paint",
      organizer: mara,
      summary: "Paint samples, Lackiererei Huber",
      ...between(day(3), "14:30", "15:30"),
      guests: guest(huber),
    },
    {
      name: "new-york",
      organizer: mara,
      summary: "Empire Bikeshare: first call",
      description: "They are in New York; 10 in the morning for them.",
      start: clock(day(4), "10:00", "America/New_York"),
      end: clock(day(4), "10:45", "America/New_York"),
    },
  ];
}

function secondWeekPlans({ day, monday }: WorkingDays, pickRoom: () => string): EventPlan[] {
  return [
    {
      name: "northwind",
      organizer: mara,
      summary: "Northwind Parts: brake sets",
      ...between(day(5), "9:45", "10:30"),
      guests: guest(stone, "needsAction"),
    },
    {
      name: "torque",
      organizer: oskar,
      summary: "Headset torque, release",
      ...between(day(6), "11:00", "12:00"),
      guests: [
        [mara, "tentative"],
        [jonas, "accepted"],
      ],
      location: pickRoom(),
    },
    {
      name: "fair",
      organizer: mara,
      summary: "Cargo bike fair, Friedrichshafen",
      location: "Messe Friedrichshafen, hall B2",
      start: allDayEvent(monday(2).add({ days: 1 })),
      end: allDayEvent(monday(2).add({ days: 4 })),
      transparency: "transparent",
    },
    {
      name: "flight",
      organizer: mara,
      summary: "Flight BER-LHR, BA 987",
      location: "Berlin Brandenburg, terminal 1",
      start: clock(day(9), "17:40"),
      end: clock(day(9), "18:40", "Europe/London"),
    },
  ];
}

const guest = (
  person: Person | undefined,
  response: "accepted" | "tentative" | "needsAction" = "accepted",
): NonNullable<EventPlan["guests"]> => (person ? [[person, response]] : []);

const between = (date: Temporal.PlainDate, from: string, until: string) => ({
  start: clock(date, from),
  end: clock(date, until),
});

function lastFriday(date: Temporal.PlainDate): Temporal.PlainDate {
  const last = date.with({ day: date.daysInMonth });
  return last.subtract({ days: (last.dayOfWeek + 2) % 7 });
}
