import type { EventTime } from "./event-time.ts";

export interface Attendee {
  readonly email: string;
  readonly displayName?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly resource?: boolean | undefined;
  readonly comment?: string | undefined;
  readonly additionalGuests?: number | undefined;
  readonly responseStatus: "needsAction" | "declined" | "tentative" | "accepted";
}

interface Participant {
  readonly email: string;
  readonly displayName?: string | undefined;
}

/** The organizer's fields of an event. The copies of all guests share them. */
export interface SharedContent {
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  readonly start: EventTime;
  readonly end: EventTime;
  /** RRULE, RDATE and EXDATE lines. */
  readonly recurrence?: readonly string[] | undefined;
  readonly attendees?: readonly Attendee[] | undefined;
  readonly sharedProperties?: Readonly<Record<string, string>> | undefined;
  readonly guestsCanModify?: boolean | undefined;
  readonly guestsCanInviteOthers?: boolean | undefined;
  readonly guestsCanSeeOtherGuests?: boolean | undefined;
  readonly source?:
    | { readonly title?: string | undefined; readonly url?: string | undefined }
    | undefined;
}

/** Fields that each calendar keeps for itself. */
interface OwnContent {
  readonly privateProperties?: Readonly<Record<string, string>> | undefined;
  readonly reminders: {
    readonly useDefault: boolean;
    readonly overrides?:
      | readonly { readonly method: "email" | "popup"; readonly minutes: number }[]
      | undefined;
  };
  readonly visibility?: "default" | "public" | "private" | "confidential" | undefined;
  readonly transparency?: "opaque" | "transparent" | undefined;
  readonly colorId?: string | undefined;
}

export type EventContent = SharedContent & OwnContent;

/** An event in one calendar: a single event, a series, or an exception of a series. */
export interface StoredEvent extends EventContent {
  readonly id: string;
  readonly iCalUID: string;
  readonly status: "confirmed" | "tentative" | "cancelled";
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly updated: number;
  /** Increases with every change. Used as the ETag. */
  readonly version: number;
  readonly creator: Participant;
  readonly organizer: Participant;
  /** Set for an exception. */
  readonly recurringEventId?: string | undefined;
  readonly originalStart?: EventTime | undefined;
}

export function isSeries({ recurrence }: SharedContent): boolean {
  return recurrence !== undefined && recurrence.length > 0;
}
