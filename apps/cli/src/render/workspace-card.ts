import { visible, type CardPayload } from "@bron/protocol";
import { localTime } from "./time.ts";
import { oneLine } from "./visible.ts";

type EventFacts = CardPayload<"CalendarEventsCard">["events"][number];

export function renderEvents({ events, timeZone }: CardPayload<"CalendarEventsCard">): string[] {
  return [
    events.length === 0
      ? "No events."
      : `${events.length} ${events.length === 1 ? "event" : "events"} (times in ${oneLine(timeZone)}):`,
    ...events.map((event) => `  ${eventLine(event)}`),
  ];
}

export function renderEvent({ status, ...event }: CardPayload<"CalendarEventCard">): string[] {
  return [`${status === "cancelled" ? "Deleted event" : "Event"}: ${eventLine(event)}`];
}

function eventLine({ summary, start, end, allDay, location, guests }: EventFacts): string {
  const when = allDay ? (start === end ? start : `${start} to ${end}`) : spanInWords(start, end);
  return [
    when,
    oneLine(summary),
    ...(location === "" ? [] : [oneLine(location)]),
    ...(guests.length === 0 ? [] : [oneLine(guests.join(", "))]),
  ].join("  ");
}

/**
 * Shows the event in its own time zone, as the message and the approval do, and not in this
 * machine's.
 */
function spanInWords(start: string, end: string): string {
  const clock = (iso: string) => iso.slice(0, 16).replace("T", " ");
  const [from, to] = [start, end].map((iso) => `UTC${/[+-]\d{2}:\d{2}$/.exec(iso)?.[0] ?? ""}`);
  if (from !== to) return `${clock(start)} (${from}) to ${clock(end)} (${to})`;
  return `${clock(start)} to ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11, 16) : clock(end)} (${from})`;
}

export function renderSlack({ channel, messages }: CardPayload<"SlackMessagesCard">): string[] {
  return [
    `${messages.length} ${messages.length === 1 ? "message" : "messages"} in ${visible(channel)}:`,
    ...messages.map(
      ({ who, at, text, replies }) =>
        `  ${localTime(at)}  ${oneLine(who)}: ${oneLine(text)}${replies > 0 ? ` (${replies} ${replies === 1 ? "reply" : "replies"})` : ""}`,
    ),
  ];
}
