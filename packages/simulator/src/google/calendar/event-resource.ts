import { omitUndefined } from "@bron/protocol";
import { mayDo, type AccessRole, type CalendarFacts } from "./calendar-facts.ts";
import { writeEventTime, type WrittenTime } from "./event-time.ts";
import type { Attendee, StoredEvent } from "./stored-event.ts";

interface WrittenParticipant {
  readonly email: string;
  readonly displayName?: string | undefined;
  readonly self?: true;
}

/** An event in Google's JSON format. */
export interface EventResource {
  readonly kind: "calendar#event";
  readonly etag: string;
  readonly id: string;
  readonly status: StoredEvent["status"];
  readonly htmlLink?: string;
  readonly created?: string;
  readonly updated?: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  readonly colorId?: string | undefined;
  readonly creator?: WrittenParticipant;
  readonly organizer?: WrittenParticipant;
  readonly start?: WrittenTime;
  readonly end?: WrittenTime;
  readonly recurrence?: readonly string[] | undefined;
  readonly recurringEventId?: string | undefined;
  readonly originalStartTime?: WrittenTime;
  readonly transparency?: "transparent";
  readonly visibility?: StoredEvent["visibility"];
  readonly iCalUID?: string;
  readonly sequence?: number;
  readonly attendees?: readonly (Attendee & { readonly organizer?: true; readonly self?: true })[];
  readonly extendedProperties?: {
    readonly private?: Readonly<Record<string, string>>;
    readonly shared?: Readonly<Record<string, string>>;
  };
  readonly guestsCanModify?: true;
  readonly guestsCanInviteOthers?: false;
  readonly guestsCanSeeOtherGuests?: false;
  readonly reminders?: StoredEvent["reminders"];
  readonly source?: StoredEvent["source"];
  readonly eventType?: "default";
}

interface ResourceOptions {
  readonly calendar: CalendarFacts;
  readonly role: AccessRole;
  /** The time zone of the times in the response. */
  readonly timeZone: string;
}

export const etagOf = ({ version }: StoredEvent) => `"${version}"`;

export function eventResource(
  event: StoredEvent,
  { calendar, role, timeZone }: ResourceOptions,
): EventResource {
  const place = omitUndefined({
    recurringEventId: event.recurringEventId,
    originalStartTime:
      event.originalStart === undefined ? undefined : writeEventTime(event.originalStart, timeZone),
  });
  const head = {
    kind: "calendar#event" as const,
    etag: etagOf(event),
    id: event.id,
    status: event.status,
  };
  const times = {
    start: writeEventTime(event.start, timeZone),
    end: writeEventTime(event.end, timeZone),
  };
  const isHidden =
    (event.visibility === "private" || event.visibility === "confidential") &&
    !mayDo(role, "writer");
  if (isHidden || role === "freeBusyReader")
    return {
      ...head,
      ...times,
      ...place,
      visibility: "private",
      iCalUID: event.iCalUID,
      eventType: "default",
    };
  const isSelf = (email: string) => email === calendar.id;
  const participant = ({ email, displayName }: StoredEvent["organizer"]) => ({
    email,
    ...omitUndefined({ displayName }),
    ...(isSelf(email) ? { self: true as const } : {}),
  });
  return {
    ...head,
    htmlLink: `https://calendar.google.example/event?eid=${Buffer.from(`${event.id} ${calendar.id}`).toString("base64url")}`,
    created: new Date(event.created).toISOString().replace(/\.\d+Z$/, ".000Z"),
    updated: new Date(event.updated).toISOString(),
    ...present({
      summary: event.summary,
      description: event.description,
      location: event.location,
      colorId: event.colorId,
    }),
    creator: participant(event.creator),
    organizer: participant(event.organizer),
    ...times,
    ...present({ recurrence: event.recurrence }),
    ...place,
    ...(event.transparency === "transparent" ? { transparency: event.transparency } : {}),
    ...omitUndefined({
      visibility: event.visibility === "default" ? undefined : event.visibility,
    }),
    iCalUID: event.iCalUID,
    sequence: event.sequence,
    ...omitUndefined({
      attendees:
        event.attendees === undefined
          ? undefined
          : event.attendees.map((attendee) => ({
              ...attendee,
              ...(attendee.email === event.organizer.email ? { organizer: true as const } : {}),
              ...(isSelf(attendee.email) ? { self: true as const } : {}),
            })),
    }),
    ...propertiesOf(event),
    ...(event.guestsCanModify === true ? { guestsCanModify: true as const } : {}),
    ...(event.guestsCanInviteOthers === false ? { guestsCanInviteOthers: false as const } : {}),
    ...(event.guestsCanSeeOtherGuests === false ? { guestsCanSeeOtherGuests: false as const } : {}),
    reminders: event.reminders,
    ...present({ source: event.source }),
    eventType: "default",
  };
}

function propertiesOf({
  privateProperties,
  sharedProperties,
}: StoredEvent): Pick<EventResource, "extendedProperties"> {
  if (privateProperties === undefined && sharedProperties === undefined) return {};
  return {
    extendedProperties: omitUndefined({ private: privateProperties, shared: sharedProperties }),
  };
}

/** An exception that only cancels an instance. */
export function canceledInstance(event: StoredEvent, timeZone: string): EventResource {
  return {
    kind: "calendar#event",
    etag: etagOf(event),
    id: event.id,
    status: "cancelled",
    ...omitUndefined({
      recurringEventId: event.recurringEventId,
      originalStartTime:
        event.originalStart === undefined
          ? undefined
          : writeEventTime(event.originalStart, timeZone),
    }),
  };
}

function present<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, without those that are undefined
  return Object.fromEntries(entries) as Partial<Fields>;
}
