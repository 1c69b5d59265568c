import { openCalendar } from "../calendar/calendar-method.ts";
import { deleteEvent, insertEvent, patchEvent } from "../calendar/change-event.ts";
import type { Actor } from "../calendar/commit-change.ts";
import type { EventResource } from "../calendar/event-resource.ts";
import type { SendUpdates } from "../calendar/notify-guests.ts";
import { badRequest } from "../api-error.ts";
import type { SimulatorState } from "../state/simulator-state.ts";

/** The account that acts and the calendar, which defaults to the account's own. */
interface CalendarActor {
  readonly account: string;
  readonly calendarId?: string | undefined;
  /** Whether guests are notified. Defaults to "none". */
  readonly sendUpdates?: SendUpdates | undefined;
}

/** Actions of a calendar's owner in another client. All throw ApiError like Google's API. */
export interface CalendarControl {
  /** `event` has the format of the API. Returns the event. */
  readonly createEvent: (calendarActor: CalendarActor, event: unknown) => EventResource;
  /** `change` is a patch. On a guest's copy it may set their response. */
  readonly changeEvent: (
    calendarActor: CalendarActor,
    eventId: string,
    change: unknown,
  ) => EventResource;
  readonly deleteEvent: (calendarActor: CalendarActor, eventId: string) => void;
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
  const actor = ({ account: address, calendarId, sendUpdates = "none" }: CalendarActor): Actor => {
    const account = accounts.find((one) => one.address === address);
    if (!account) throw badRequest(`Account ${address} not found.`);
    return {
      account: { address, name: account.name },
      ...openCalendar(state, address, calendarId),
      sendUpdates,
      by: "owner",
      now: now(),
    };
  };
  return {
    createEvent: (calendarActor, event) => insertEvent(state, actor(calendarActor), event),
    changeEvent: (calendarActor, eventId, change) =>
      patchEvent(state, actor(calendarActor), { eventId }, change),
    deleteEvent: (calendarActor, eventId) => deleteEvent(state, actor(calendarActor), { eventId }),
  };
}
