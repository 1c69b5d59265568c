import type { Timing } from "@bron/protocol";
import { Cron } from "croner";
import { BronError } from "../errors.ts";

/** The shortest distance between two times of a schedule. */
const minIntervalMs = 60_000;
const maxIntervalMs = 366 * 86_400_000;
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

interface After {
  readonly after: number;
  /** Where an interval starts counting: when the schedule was created, or was due last. */
  readonly anchor?: number;
  readonly endAt?: string | null;
}

/**
 * The times at which a schedule is due, later than `after`, in epoch milliseconds. A local time that
 * does not exist on a day is moved forward by the length of the gap, and one that exists twice is
 * used once. Throws invalid_input for an expression or a zone that it does not understand.
 */
export function nextTimes(timing: Timing, count: number, options: After): number[] {
  const end = options.endAt ? Date.parse(options.endAt) : Number.POSITIVE_INFINITY;
  return timesOf(timing, count, options).filter((time) => time <= end);
}

function timesOf(timing: Timing, count: number, { after, anchor = after }: After): number[] {
  const { kind, expression, zone } = timing;
  if (kind === "interval") {
    const every = intervalMs(expression);
    const first = anchor + (Math.floor(Math.max(0, after - anchor) / every) + 1) * every;
    return Array.from({ length: count }, (_, index) => first + index * every);
  }
  requireZone(zone);
  if (kind === "once") {
    const at = onceAt(timing);
    return at > after ? [at] : [];
  }
  return cronOf(expression, zone)
    .nextRuns(count, new Date(after))
    .map((date) => date.getTime());
}

function cronOf(expression: string, zone: string): Cron {
  try {
    return new Cron(expression, { timezone: zone, mode: "5-part", paused: true });
  } catch (error) {
    throw new BronError(
      "invalid_input",
      `${JSON.stringify(expression)} is not a cron expression. Use five fields, for example "0 8 * * 1-5" for every weekday at 8:00.`,
      { cause: error },
    );
  }
}

function intervalMs(expression: string): number {
  const parts = /^(\d{1,6})([mhd])$/u.exec(expression);
  const every = Number(parts?.[1]) * (unitMs[parts?.[2] ?? ""] ?? Number.NaN);
  if (every >= minIntervalMs && every <= maxIntervalMs) return every;
  throw new BronError(
    "invalid_input",
    `${JSON.stringify(expression)} is not an interval. Use minutes, hours or days, for example 30m, 2h or 1d, of at least one minute and at most 366 days.`,
  );
}

function onceAt({ expression, zone }: Timing): number {
  const time = new Cron(requireDateTime(expression), { timezone: zone, paused: true }).nextRun(
    new Date(0),
  );
  if (time) return time.getTime();
  throw notADate(expression);
}

/** Without an offset, the date and time are in the zone of the schedule. */
function requireDateTime(expression: string): string {
  const parts =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d{1,6})?(Z|[+-]\d{2}:\d{2})?$/u.exec(
      expression,
    );
  if (!parts) throw notADate(expression);
  const [, date = "", minutes = "", seconds = ":00", offset] = parts;
  const text = `${date}T${minutes}${seconds}`;
  const utc = Date.parse(`${text}${offset ?? "Z"}`);
  if (Number.isNaN(utc) || !isRealDate(date)) throw notADate(expression);
  return offset === undefined ? text : `${new Date(utc).toISOString().slice(0, 19)}Z`;
}

/** `Date.parse` accepts 30 February. */
const isRealDate = (date: string) =>
  new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) === date;

function notADate(expression: string): BronError {
  return new BronError(
    "invalid_input",
    `${JSON.stringify(expression)} is not a date and time. Use a form such as 2026-12-24T09:00.`,
  );
}

export function requireZone(zone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch (error) {
    throw new BronError(
      "invalid_input",
      `Unknown time zone ${JSON.stringify(zone)}. Use a name such as Europe/Berlin.`,
      { cause: error },
    );
  }
}

/** The next time of a new or resumed schedule. Throws invalid_input if it has none. */
export function requireNextTime(timing: Timing, options: After): number {
  const [next] = nextTimes(timing, 1, options);
  if (next !== undefined) return next;
  throw new BronError("invalid_input", "This schedule has no time in the future.");
}
