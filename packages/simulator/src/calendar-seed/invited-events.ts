import type { StoredEvent } from "../google/calendar/stored-event.ts";
import { mara, type Person } from "../mailbox/company.ts";
import { clock, storedEvent, type EventPlan } from "./event-plan.ts";
import { workingDaysAround } from "./working-days.ts";

const outside = (name: string, address: string, firm: string): Person => ({
  name,
  address,
  language: "en",
  firm,
});

/**
 * Invitations from other companies, with the emails that announced them. The owner has not
 * responded to any.
 */
interface InvitedEvent {
  readonly event: StoredEvent;
  readonly organizer: Person;
  readonly method: "REQUEST" | "CANCEL";
  /** Age of the email. */
  readonly daysAgo: number;
}

export function invitedEvents(seed: number, anchor: Date): readonly InvitedEvent[] {
  const { day } = workingDaysAround(anchor);
  const invited = (plan: EventPlan, method: InvitedEvent["method"]): InvitedEvent => ({
    event: storedEvent({ ...plan, guests: [[mara, "needsAction"]] }, { seed, anchor }),
    organizer: plan.organizer,
    method,
    daysAgo: plan.daysAgo ?? 9,
  });
  return [
    invited(
      {
        name: "round-table",
        organizer: outside("Nora Wirth", "nora.wirth@hafen-forum.example", "Hafen Forum"),
        summary: "Round table: cargo bikes in the old harbour",
        description:
          "Six companies, one hour and a half, coffee. We want to hear what deliveries by bike need from the city.",
        location: "Hafen Forum, room Kontor, Am Kai 4",
        start: clock(day(5), "13:00"),
        end: clock(day(5), "14:30"),
        daysAgo: 8,
      },
      "REQUEST",
    ),
    invited(
      {
        name: "test-ride",
        organizer: outside("Sven Aalto", "sven@nordic-fleet.example", "Nordic Fleet"),
        summary: "Test ride day, Nordic Fleet",
        description:
          "Moved by a day, our riders are on the road before. Two long bikes, if you can spare them.",
        location: "Lindqvist Cargo, yard",
        start: clock(day(7), "10:00"),
        end: clock(day(7), "12:00"),
        sequence: 1,
        daysAgo: 10,
      },
      "REQUEST",
    ),
    invited(
      {
        name: "interview",
        organizer: outside("Iris Okafor", "iris@frame-magazine.example", "Frame Magazine"),
        summary: "Interview for Frame Magazine",
        description:
          "We have to drop this issue's portrait. I am sorry, and will ask again in spring.",
        start: clock(day(4), "16:00"),
        end: clock(day(4), "17:00"),
        sequence: 1,
        status: "cancelled",
        daysAgo: 9,
      },
      "CANCEL",
    ),
  ];
}
