import type { AccountReader } from "@bron/core";
import type { ApprovalBackground, NearbySchedule } from "@bron/protocol";
import type { calendar_v3 } from "@googleapis/calendar";
import { Temporal } from "temporal-polyfill";
import { readFromGoogle } from "../google/call-google.ts";
import type { CalendarDeps } from "./calendar-deps.ts";
import { dayBounds, dayIn, isZone } from "./event-time.ts";
import { toEventView } from "./event-view.ts";
import type { PreparedEvent } from "./prepared-event.ts";

type Event = calendar_v3.Schema$Event;

/** A period in milliseconds since 1970. The end does not belong to it. */
interface Period {
  readonly from: number;
  readonly to: number;
}

const maxEvents = 50;
/** A slot that ends at this hour or later is in the evening, so it is not offered. */
const lastHour = 19;

/**
 * What the calendar has on the day of an event that is to be added or moved. Undefined for a change
 * that keeps the time, and for all-day events, which clash with nothing.
 */
export async function readSchedule(
  deps: CalendarDeps,
  { account, calendarId, eventId, event }: PreparedEvent,
  { ownerId, signal }: AccountReader,
): Promise<ApprovalBackground | undefined> {
  const time = timeOfForm(event);
  if (!time) return undefined;
  const { zone, ...wanted } = time;
  const day = dayBounds(dayIn(zone, wanted.from), zone);
  const lastMoment = new Date(Math.max(Date.parse(day.to), wanted.to)).toISOString();
  const { items = [] } = await readFromGoogle(
    deps,
    { ownerId, signal, account },
    ({ calendar }, options) =>
      calendar.events.list(
        {
          calendarId,
          timeMin: day.from,
          timeMax: lastMoment,
          timeZone: zone,
          singleEvents: true,
          orderBy: "startTime",
          maxResults: maxEvents,
        },
        options,
      ),
  );
  const others = items.filter(
    ({ id, recurringEventId }) => id !== eventId && recurringEventId !== eventId,
  );
  const busy = others.flatMap(busyPeriod);
  const isClash = (period: Period) => period.from < wanted.to && wanted.from < period.to;
  const events = others.map((other): NearbySchedule["events"][number] => {
    const { summary, start, end } = toEventView(other);
    return { title: summary, start, end, clashes: busyPeriod(other).some(isClash) };
  });
  const nextFree = busy.some(isClash) ? nextFreeSlot(wanted, busy, zone) : null;
  return { kind: "schedule", timeZone: zone, events, nextFree };
}

function timeOfForm(event: PreparedEvent["event"]): (Period & { zone: string }) | undefined {
  const { start, end } = event as Pick<Event, "start" | "end">;
  if (!start?.dateTime || !end?.dateTime) return undefined;
  const zone = start.timeZone && isZone(start.timeZone) ? start.timeZone : "UTC";
  return { from: Date.parse(start.dateTime), to: Date.parse(end.dateTime), zone };
}

/** The time that an event occupies, if it does: not all day, not declined, not shown as free. */
function busyPeriod({ status, transparency, attendees, start, end }: Event): Period[] {
  const own = attendees?.find(({ self }) => self === true);
  if (status === "cancelled" || transparency === "transparent") return [];
  if (own?.responseStatus === "declined" || !start?.dateTime || !end?.dateTime) return [];
  return [{ from: Date.parse(start.dateTime), to: Date.parse(end.dateTime) }];
}

/** The first free slot of the same length after the wanted one, on the same day. */
function nextFreeSlot(
  wanted: Period,
  busy: readonly Period[],
  zone: string,
): NearbySchedule["nextFree"] {
  const length = wanted.to - wanted.from;
  let from = wanted.from;
  for (const period of busy.toSorted((one, other) => one.from - other.from))
    if (period.from < from + length && from < period.to) from = period.to;
  const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  const end = start.add({ milliseconds: length });
  const isSameDay = start
    .toPlainDate()
    .equals(
      Temporal.Instant.fromEpochMilliseconds(wanted.from).toZonedDateTimeISO(zone).toPlainDate(),
    );
  if (!isSameDay || !end.toPlainDate().equals(start.toPlainDate()) || end.hour >= lastHour)
    return null;
  return { start: isoOf(start), end: isoOf(end) };
}

function isoOf(moment: Temporal.ZonedDateTime): string {
  return moment.toString({ timeZoneName: "never", smallestUnit: "second" });
}
