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

/** The owner's two overbooked weeks. */
export function ownerEvents({
  days: { day, monday },
  random,
  seed,
  anchor,
}: Planning): StoredEvent[] {
  const [schroeder, dubois, hughes, , hofmann] = customers;
  const [brandt, , stone, , huber] = suppliers;
  const room = () => random.pick(rooms);
  const with_ = (
    person: Person | undefined,
    answer: "accepted" | "tentative" | "needsAction" = "accepted",
  ): EventPlan["guests"] => (person ? [[person, answer]] : []);
  const plans: EventPlan[] = [
    {
      name: "one-jonas",
      organizer: mara,
      summary: "1:1 Mara / Jonas",
      start: clock(monday(-3).add({ days: 1 }), "14:00"),
      end: clock(monday(-3).add({ days: 1 }), "14:30"),
      recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=TU"],
      guests: [[jonas, "accepted"]],
      location: room(),
    },
    {
      name: "one-priya",
      organizer: priya,
      summary: "1:1 Priya / Mara",
      start: clock(monday(-3).add({ days: 3 }), "11:00"),
      end: clock(monday(-3).add({ days: 3 }), "11:30"),
      recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=TH"],
      guests: [[mara, "accepted"]],
    },
    {
      name: "month-end",
      organizer: mara,
      summary: "Month-end close",
      description: "Open invoices, cash, what moves to next month.",
      start: clock(lastFriday(monday(-9)), "16:00"),
      end: clock(lastFriday(monday(-9)), "17:00"),
      recurrence: ["RRULE:FREQ=MONTHLY;BYDAY=-1FR"],
      guests: [[ben, "accepted"]],
      location: room(),
    },
    {
      name: "ulm",
      organizer: mara,
      summary: "Stadtwerke Ulm: eight bikes",
      start: clock(day(-2), "10:00"),
      end: clock(day(-2), "11:00"),
      guests: [...(with_(hofmann) ?? []), [camille, "accepted"]],
    },
    {
      name: "harbour",
      organizer: mara,
      summary: "Warranty case, Harbour Couriers",
      start: clock(day(-4), "15:30"),
      end: clock(day(-4), "16:00"),
      guests: with_(hughes) ?? [],
    },
    {
      name: "photos",
      organizer: lea,
      summary: "Choose the website photos",
      start: clock(day(-1), "13:00"),
      end: clock(day(-1), "14:00"),
      guests: [[mara, "accepted"]],
      location: room(),
    },
    {
      name: "velo-nord",
      organizer: mara,
      summary: "Velo Nord: delivery dates",
      description: "Ramp times, orange boxes, the open order.",
      start: clock(day(1), "10:00"),
      end: clock(day(1), "11:00"),
      guests: with_(schroeder) ?? [],
    },
    {
      name: "lunch",
      organizer: mara,
      summary: "Lunch with Claire",
      location: "Osteria am Kanal",
      start: clock(day(1), "12:30"),
      end: clock(day(1), "13:45"),
      guests: with_(dubois, "tentative") ?? [],
    },
    {
      name: "brandt",
      organizer: mara,
      summary: "Supplier call: Brandt Metall",
      description: "Steel prices from January, laser cutting lead time.",
      start: clock(day(2), "15:00"),
      end: clock(day(2), "15:45"),
      guests: with_(brandt) ?? [],
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
      start: clock(day(3), "8:00"),
      end: clock(day(3), "9:00"),
      visibility: "private",
    },
    {
      name: "budget",
      organizer: mara,
      summary: "Budget review",
      start: clock(day(3), "14:00"),
      end: clock(day(3), "15:00"),
      guests: [
        [ben, "accepted"],
        [priya, "accepted"],
      ],
      location: room(),
    },
    {
      name: "paint",
      organizer: mara,
      summary: "Paint samples, Lackiererei Huber",
      start: clock(day(3), "14:30"),
      end: clock(day(3), "15:30"),
      guests: with_(huber) ?? [],
    },
    {
      name: "new-york",
      organizer: mara,
      summary: "Empire Bikeshare: first call",
      description: "They are in New York; 10 in the morning for them.",
      start: clock(day(4), "10:00", "America/New_York"),
      end: clock(day(4), "10:45", "America/New_York"),
    },
    {
      name: "northwind",
      organizer: mara,
      summary: "Northwind Parts: brake sets",
      start: clock(day(5), "9:45"),
      end: clock(day(5), "10:30"),
      guests: with_(stone, "needsAction") ?? [],
    },
    {
      name: "torque",
      organizer: oskar,
      summary: "Headset torque, release",
      start: clock(day(6), "11:00"),
      end: clock(day(6), "12:00"),
      guests: [
        [mara, "tentative"],
        [jonas, "accepted"],
      ],
      location: room(),
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
  return [
    ...standUp({ days: { day, monday }, seed, anchor }),
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

function lastFriday(date: ReturnType<WorkingDays["day"]>): ReturnType<WorkingDays["day"]> {
  const last = date.with({ day: date.daysInMonth });
  return last.subtract({ days: (last.dayOfWeek + 2) % 7 });
}
