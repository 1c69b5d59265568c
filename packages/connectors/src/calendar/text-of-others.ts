import type { FormReads, JsonObject } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import type { EventDiff } from "./diff-event.ts";
import { marksOn } from "./effect-mark.ts";
import { eventItem } from "./event-item.ts";
import { toEventView } from "./event-view.ts";
import { isOwnCalendar, isSameAddress } from "./own-calendar.ts";
import type { PreparedEvent } from "./prepared-event.ts";

type Event = calendar_v3.Schema$Event;

/** What an event says already, as far as a change does not replace it. */
export interface EventText extends JsonObject {
  texts: string[];
}

/** Whether a change invites people who are not on the list. */
export function invites({ attendees }: EventDiff, event: Event): boolean {
  const current = new Set((event.attendees ?? []).map(({ email }) => email?.toLowerCase()));
  return attendees?.some(({ email }) => !current.has(email?.toLowerCase())) === true;
}

/**
 * The text that new guests get and that others, or Bron, may have written. Undefined if the change
 * invites no one, or if the owner wrote the event by hand.
 */
export function textOfOthers(
  event: Event,
  diff: EventDiff,
  calendar: Pick<PreparedEvent, "account" | "calendarId">,
): EventText | undefined {
  if (!invites(diff, event)) return undefined;
  if (isOwnCalendar(calendar) && isByHand(event, calendar.account)) return undefined;
  const kept = (["summary", "location", "description"] as const).flatMap((name) =>
    diff[name] === undefined && event[name] ? [event[name]] : [],
  );
  return { texts: [...kept, ...linksOf(event)] };
}

/**
 * Whether only the owner can have written the event. Google makes events from mails, guests may be
 * allowed to change its text, and Bron marks what it added or changed.
 */
function isByHand(event: Event, account: string): boolean {
  const { organizer, creator, guestsCanModify, eventType } = event;
  return (
    organizer?.self === true &&
    (!creator?.email || creator.self === true || isSameAddress(creator.email, account)) &&
    guestsCanModify !== true &&
    eventType !== "fromGmail" &&
    marksOn(event).length === 0
  );
}

/** Links beside the text. Google makes those of its own video calls. */
function linksOf({ attachments = [], source, conferenceData }: Event): string[] {
  const calls =
    conferenceData?.conferenceSolution?.key?.type === "hangoutsMeet"
      ? []
      : (conferenceData?.entryPoints ?? []).flatMap(({ uri }) => uri ?? []);
  return [
    ...attachments.flatMap(({ title, fileUrl }) => [title ?? "", fileUrl ?? ""]),
    source?.title ?? "",
    source?.url ?? "",
    ...calls,
  ].filter((text) => text !== "");
}

/** The same as a result, so that a risk of the change names the event. */
export function readsOf(event: Event, text: EventText | undefined): FormReads | undefined {
  if (!text) return undefined;
  const item = eventItem(toEventView(event));
  return {
    results: [
      {
        label: {
          origin: "calendar",
          trusted: false,
          // The guests who are on the list know it, and the owner asks to invite others to it.
          private: false,
          readers: [],
          parts: [{ path: [], item }],
        },
        value: text,
      },
    ],
    writers: [],
  };
}
