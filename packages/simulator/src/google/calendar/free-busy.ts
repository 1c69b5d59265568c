import { z } from "zod";
import type { SimulatorState } from "../state/simulator-state.ts";
import { accessRole } from "./calendar-facts.ts";
import { calendarError, emptyTimeRange, invalid, required } from "./calendar-error.ts";
import type { CalendarCall } from "./calendar-method.ts";
import type { Calendar } from "./calendars.ts";
import { responseStatusOf } from "./compare-events.ts";
import { epochOf, findTimeZone, readMoment, writeMoment } from "./event-time.ts";
import { instancesOf, overlaps, type Window } from "./instances.ts";
import { isSeries, type StoredEvent } from "./stored-event.ts";

const body = z.object({
  timeMin: z.string().optional(),
  timeMax: z.string().optional(),
  timeZone: z.string().default("UTC"),
  items: z.array(z.object({ id: z.string() })).default([]),
});
const maxCalendars = 50;
/** Google's limit is undocumented, about three months. */
const maxRangeMs = 93 * 86_400_000;

export function queryFreeBusy({ state, account, body: given }: CalendarCall): unknown {
  const parsed = body.safeParse(given ?? {});
  if (!parsed.success) throw invalid("Bad Request");
  const { items, timeZone: wantedZone } = parsed.data;
  const window = {
    from: readBound(parsed.data.timeMin, "timeMin"),
    to: readBound(parsed.data.timeMax, "timeMax"),
  };
  const timeZone = findTimeZone(wantedZone);
  if (timeZone === undefined) throw invalid(`Invalid time zone: '${wantedZone}'.`);
  if (window.to <= window.from) throw emptyTimeRange();
  if (window.to - window.from > maxRangeMs)
    throw calendarError(400, "The requested time range is too long.", {
      domain: "calendar",
      reason: "timeRangeTooLong",
    });
  if (items.length > maxCalendars)
    throw calendarError(400, "The number of calendars requested is too large for a single query.", {
      domain: "calendar",
      reason: "tooManyCalendarsRequested",
    });
  const calendars = items.map(({ id }) => {
    const periods = busyOf(state, account.address, { id, window });
    if (!periods)
      return [id, { errors: [{ domain: "global", reason: "notFound" }], busy: [] }] as const;
    return [
      id,
      {
        busy: periods.map(({ from, to }) => ({
          start: writeMoment(from, timeZone),
          end: writeMoment(to, timeZone),
        })),
      },
    ] as const;
  });
  return {
    kind: "calendar#freeBusy",
    timeMin: new Date(window.from).toISOString(),
    timeMax: new Date(window.to).toISOString(),
    calendars: Object.fromEntries(calendars),
  };
}

function readBound(text: string | undefined, name: string): number {
  if (text === undefined) throw required(`Missing ${name} parameter.`);
  const moment = readMoment(text);
  if (moment === undefined) throw calendarError(400, "Bad Request", { reason: "badRequest" });
  return moment;
}

/** Returns undefined for a calendar that the caller cannot see. */
function busyOf(
  state: SimulatorState,
  account: string,
  { id, window }: { readonly id: string; readonly window: Window },
): readonly Window[] | undefined {
  const calendar = state.calendars().find(id === "primary" ? account : id);
  if (!calendar || accessRole(calendar.facts, account) === undefined) return undefined;
  const periods = busyEvents(calendar, window).map(({ start, end }) => ({
    from: Math.max(window.from, epochOf(start, calendar.timeZone)),
    to: Math.min(window.to, epochOf(end, calendar.timeZone)),
  }));
  return mergePeriods(periods.filter(({ from, to }) => to > from));
}

function busyEvents(calendar: Calendar, window: Window): StoredEvent[] {
  const events = calendar.events().flatMap((event) => {
    if (isSeries(event)) return instancesOf(calendar, event, window);
    const isOfSeries =
      event.recurringEventId !== undefined && calendar.event(event.recurringEventId) !== undefined;
    return !isOfSeries && overlaps(event, window, calendar.timeZone) ? [event] : [];
  });
  return events.filter(
    (event) =>
      event.status !== "cancelled" &&
      event.transparency !== "transparent" &&
      responseStatusOf(event, calendar.facts.id) !== "declined",
  );
}

function mergePeriods(periods: readonly Window[]): Window[] {
  const merged: Window[] = [];
  for (const period of periods.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && period.from <= last.to)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, period.to) };
    else merged.push(period);
  }
  return merged;
}
