import { openCalendar } from "../calendar/calendar-method.ts";
import { deleteEvent, insertEvent, patchEvent } from "../calendar/change-event.ts";
import type { Actor } from "../calendar/commit-change.ts";
import type { EventResource } from "../calendar/event-resource.ts";
import type { SendUpdates } from "../calendar/notify-guests.ts";
import { badRequest } from "../api-error.ts";
import type { SimulatorState } from "../state/simulator-state.ts";

/** Whose hand, in which calendar; the account's own unless said. */
export interface CalendarHand {
  readonly account: string;
  readonly calendarId?: string | undefined;
  /** Whether guests get mail; "none" unless said. */
  readonly sendUpdates?: SendUpdates | undefined;
}

/** What an owner does in their calendar at another screen. All throw ApiError as Google's API would answer. */
export interface CalendarControl {
  /** `event` as the API takes it. Returns the event. */
  readonly createEvent: (hand: CalendarHand, event: unknown) => EventResource;
  /** `change` as a patch. Of a guest's own copy it may be their answer. */
  readonly changeEvent: (hand: CalendarHand, eventId: string, change: unknown) => EventResource;
  readonly deleteEvent: (hand: CalendarHand, eventId: string) => void;
}

interface CalendarControlDeps {
  readonly state: SimulatorState;
  readonly accounts: readonly { readonly address: string; readonly name: string }[];
  readonly now: () => Date;
}

export function createCalendarControl({
  state,
  accounts,
  now,
}: CalendarControlDeps): CalendarControl {
  const actor = ({ account: address, calendarId, sendUpdates = "none" }: CalendarHand): Actor => {
    const account = accounts.find((one) => one.address === address);
    if (!account) throw badRequest(`There is no account ${address}.`);
    return {
      account: { address, name: account.name },
      ...openCalendar(state, address, calendarId),
      sendUpdates,
      by: "owner",
      now: now(),
    };
  };
  return {
    createEvent: (hand, event) => insertEvent(state, actor(hand), event),
    changeEvent: (hand, eventId, change) => patchEvent(state, actor(hand), { eventId }, change),
    deleteEvent: (hand, eventId) => deleteEvent(state, actor(hand), { eventId }),
  };
}
