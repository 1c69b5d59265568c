import { Temporal } from "temporal-polyfill";
import { compact, maxInstances, parseRecurrence, type Recurrence } from "./recurrence.ts";
import { epochOf, epochToWall, type EventTime } from "./event-time.ts";
import { isSeries, type StoredEvent } from "./stored-event.ts";

/**
 * A window that events overlap: they end after `from` and start before `to`. Milliseconds since
 * 1970.
 */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The part of a calendar that expanding its series needs. */
export interface EventBook {
  readonly timeZone: string;
  readonly event: (id: string) => StoredEvent | undefined;
  readonly exceptionsOf: (seriesId: string) => readonly StoredEvent[];
}

const dayMs = 86_400_000;

export function overlaps(event: StoredEvent, { from, to }: Window, calendarZone: string): boolean {
  const start = epochOf(event.start, calendarZone);
  const end = epochOf(event.end, calendarZone);
  // An all-day event that ends on its start day counts as one day.
  const last = "date" in event.start && end <= start ? start + dayMs : end;
  return last > from && start < to;
}

/** "abc_20261103T080000Z", or "abc_20261103" for an all-day event. */
export function instanceId(seriesId: string, start: EventTime): string {
  return `${seriesId}_${"date" in start ? start.date.replaceAll("-", "") : `${compact(epochToWall(start.at, "UTC"))}Z`}`;
}

/**
 * The instances within the window in the order of their original starts. Exceptions replace their
 * instances, including canceled ones.
 */
export function instancesOf(
  book: EventBook,
  series: StoredEvent,
  window: Window,
): readonly StoredEvent[] {
  const recurrence = recurrenceOf(series, book.timeZone);
  if (!recurrence) return [];
  const exceptions = new Map(
    book
      .exceptionsOf(series.id)
      .map((exception) => [
        exception.id,
        series.status === "cancelled" ? { ...exception, status: series.status } : exception,
      ]),
  );
  const length = Math.max(
    0,
    epochOf(series.end, book.timeZone) - epochOf(series.start, book.timeZone),
  );
  // A day has 25 hours when clocks go back.
  const starts = recurrence.starts({
    from: window.from - length - dayMs,
    to: window.to,
    limit: maxInstances,
  });
  const regular = starts
    .map((start) => instanceAt(series, start, book.timeZone))
    .filter(({ id }) => !exceptions.has(id));
  const replaced = [...exceptions.values()].filter((exception) =>
    isStartOf(recurrence, exception.originalStart, book.timeZone),
  );
  return [...regular, ...replaced]
    .filter((instance) => overlaps(instance, window, book.timeZone))
    .sort(
      (one, other) =>
        epochOf(one.originalStart ?? one.start, book.timeZone) -
        epochOf(other.originalStart ?? other.start, book.timeZone),
    );
}

/** Finds an event, an exception or an instance by its id. */
export function findEvent(book: EventBook, id: string): StoredEvent | undefined {
  const stored = book.event(id);
  if (stored) return isOfCanceledSeries(book, stored) ? { ...stored, status: "cancelled" } : stored;
  const [, seriesId = "", year = "", month = "", day = "", hour, minute = "", second = ""] =
    /^(.+)_(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(id) ?? [];
  const series = book.event(seriesId);
  const recurrence = series && recurrenceOf(series, book.timeZone);
  if (!recurrence || "date" in series.start !== (hour === undefined)) return undefined;
  const moment = Date.parse(
    `${year}-${month}-${day}T${hour ?? "00"}:${minute || "00"}:${second || "00"}Z`,
  );
  if (Number.isNaN(moment)) return undefined;
  const start: EventTime =
    "date" in series.start
      ? { date: `${year}-${month}-${day}` }
      : { at: moment, timeZone: series.start.timeZone };
  return isStartOf(recurrence, start, book.timeZone)
    ? instanceAt(series, start, book.timeZone)
    : undefined;
}

function isOfCanceledSeries(book: EventBook, { recurringEventId }: StoredEvent): boolean {
  return recurringEventId !== undefined && book.event(recurringEventId)?.status === "cancelled";
}

/** Recurrences and instances by time zone. A changed series is another object. */
const expanded = new WeakMap<StoredEvent, Map<string, Expanded>>();

interface Expanded {
  readonly recurrence: Recurrence | undefined;
  readonly instances: WeakMap<EventTime, StoredEvent>;
}

function expandedOf(series: StoredEvent, calendarZone: string): Expanded {
  const byZone = expanded.get(series) ?? new Map<string, Expanded>();
  expanded.set(series, byZone);
  const known = byZone.get(calendarZone);
  if (known) return known;
  const recurrence = isSeries(series)
    ? parseRecurrence(series.recurrence ?? [], series.start, calendarZone)
    : undefined;
  const created = { recurrence, instances: new WeakMap<EventTime, StoredEvent>() };
  byZone.set(calendarZone, created);
  return created;
}

function recurrenceOf(series: StoredEvent, calendarZone: string): Recurrence | undefined {
  return expandedOf(series, calendarZone).recurrence;
}

function isStartOf(
  recurrence: Recurrence,
  start: EventTime | undefined,
  calendarZone: string,
): boolean {
  if (!start) return false;
  const at = epochOf(start, calendarZone);
  return recurrence.starts({ from: at, to: at + 1 }).length > 0;
}

function instanceAt(series: StoredEvent, start: EventTime, calendarZone: string): StoredEvent {
  const { instances } = expandedOf(series, calendarZone);
  const instance = instances.get(start) ?? createInstance(series, start, calendarZone);
  instances.set(start, instance);
  return instance;
}

function createInstance(series: StoredEvent, start: EventTime, calendarZone: string): StoredEvent {
  const { recurrence: _, ...rest } = series;
  return {
    ...rest,
    id: instanceId(series.id, start),
    recurringEventId: series.id,
    originalStart: start,
    start,
    end: endOf(series, start, calendarZone),
  };
}

/**
 * All instances have the exact length of the first (RFC 5545, 3.8.5.3). All-day lengths count days.
 */
function endOf(series: StoredEvent, start: EventTime, calendarZone: string): EventTime {
  if ("date" in start && "date" in series.start && "date" in series.end) {
    const days = Temporal.PlainDate.from(series.start.date).until(series.end.date, {
      largestUnit: "day",
    });
    return { date: Temporal.PlainDate.from(start.date).add(days).toString() };
  }
  const length = epochOf(series.end, calendarZone) - epochOf(series.start, calendarZone);
  return {
    at: epochOf(start, calendarZone) + length,
    timeZone: "date" in series.end ? calendarZone : series.end.timeZone,
  };
}
