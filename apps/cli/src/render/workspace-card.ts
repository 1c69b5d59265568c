import { visible, type CardPayload } from "@bron/protocol";
import { localTime } from "./time.ts";
import { oneLine } from "./visible.ts";

type EventFacts = CardPayload<"CalendarEventsCard">["events"][number];

export function renderEvents({ events }: CardPayload<"CalendarEventsCard">): string[] {
  return [events.length === 0 ? "Nothing is entered." : `${events.length} in the calendar:`, ...events.map((event) => `  ${eventLine(event)}`)];
}

export function renderEvent({ status, ...event }: CardPayload<"CalendarEventCard">): string[] {
  return [`${status === "cancelled" ? "Event, since removed" : "Event"}: ${eventLine(event)}`];
}

function eventLine({ summary, start, end, allDay, location, guests }: EventFacts): string {
  const when = allDay ? (start === end ? start : `${start} to ${end}`) : `${localTime(start)} to ${localTime(end)}`;
  return [when, oneLine(summary), ...(location === "" ? [] : [oneLine(location)]), ...(guests.length === 0 ? [] : [oneLine(guests.join(", "))])].join("  ");
}

export function renderSlack({ channel, messages }: CardPayload<"SlackMessagesCard">): string[] {
  return [`${messages.length} messages of ${visible(channel)}:`, ...messages.map(({ who, at, text, replies }) => `  ${localTime(at)}  ${oneLine(who)}: ${oneLine(text)}${replies > 0 ? ` (${replies} replies)` : ""}`)];
}
