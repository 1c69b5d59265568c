import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";
import { epochToWall, findTimeZone, wallToEpoch, type EventTime } from "./event-time.ts";

/** The start times of a series, in order. */
export interface Recurrence {
  /**
   * Starts from `from` (inclusive) to `to` (exclusive), at most `limit`. Milliseconds since 1970.
   */
  readonly starts: (window: {
    readonly from: number;
    readonly to: number;
    readonly limit?: number;
  }) => readonly EventTime[];
}

interface Line {
  readonly name: "RRULE" | "RDATE" | "EXDATE";
  readonly timeZone: string | undefined;
  readonly value: string;
}

const dayMs = 86_400_000;
/** Google's limit for endless series. */
export const maxInstances = 730;
/** A window without an end stops this long after its first start. */
const maxWindowMs = 60 * 366 * dayMs;
const chunkMs = 2 * 366 * dayMs;
const ruleParts = new Set([
  "FREQ",
  "UNTIL",
  "COUNT",
  "INTERVAL",
  "BYDAY",
  "BYMONTHDAY",
  "BYYEARDAY",
  "BYWEEKNO",
  "BYMONTH",
  "BYSETPOS",
  "BYHOUR",
  "BYMINUTE",
  "BYSECOND",
  "WKST",
]);

/**
 * Returns undefined for invalid lines. Rules are expanded in the local time of the series' zone,
 * and each time is then placed in the zone, so nine o'clock stays nine o'clock. All-day dates are
 * placed in `calendarZone`.
 */
export function parseRecurrence(
  lines: readonly string[],
  start: EventTime,
  calendarZone: string,
): Recurrence | undefined {
  const parsed = lines.map(parseLine);
  const zone = "date" in start ? calendarZone : start.timeZone;
  const first =
    "date" in start ? Temporal.PlainDateTime.from(start.date) : epochToWall(start.at, zone);
  const rules: RRuleTemporal[] = [];
  const added: Temporal.PlainDateTime[] = [first];
  const excluded = new Set<number>();
  for (const line of parsed) {
    if (!line) return undefined;
    if (line.name === "RRULE") {
      const rule = parseRule(line.value, first, zone);
      if (!rule) return undefined;
      rules.push(rule);
      continue;
    }
    for (const text of line.value.split(",")) {
      const wall = readMoment(text, line.timeZone, zone);
      if (!wall) return undefined;
      if (line.name === "RDATE") added.push(wall);
      else excluded.add(wallToEpoch(wall, zone));
    }
  }
  if (rules.length === 0 && added.length === 1) return undefined;

  const toStart = (wall: Temporal.PlainDateTime): Start => {
    const at = wallToEpoch(wall, zone);
    const time = "date" in start ? { date: wall.toPlainDate().toString() } : { at, timeZone: zone };
    return { at, time };
  };
  const addedStarts = added.map(toStart);
  const earliest = Math.min(...addedStarts.map(({ at }) => at));
  const expansion = createExpansion(rules, earliest, toStart);
  return {
    starts: ({ from, to, limit = maxInstances }) => {
      const firstStart = Math.max(from, earliest);
      const end = Math.min(to, firstStart + maxWindowMs);
      const found = new Map<number, EventTime>();
      const take = ({ at, time }: Start) => {
        if (at >= from && at < to && !excluded.has(at)) found.set(at, time);
        return found.size < limit;
      };
      for (const one of addedStarts) take(one);
      for (const one of expansion(firstStart, end)) if (!take(one)) break;
      const ordered = [...found].sort(([one], [other]) => one - other);
      return ordered.slice(0, limit).map(([, time]) => time);
    },
  };
}

interface Start {
  readonly at: number;
  readonly time: EventTime;
}

/**
 * Expands rules in chunks, so that an endless rule is only expanded as far as needed, and each
 * chunk only once.
 */
function createExpansion(
  rules: readonly RRuleTemporal[],
  origin: number,
  toStart: (wall: Temporal.PlainDateTime) => Start,
): (from: number, end: number) => Generator<Start> {
  const chunks = new Map<number, readonly Start[]>();
  const expand = (from: number): Start[] =>
    rules
      // One day of margin on both sides, because local time is up to 14 hours off UTC.
      .flatMap((rule) =>
        rule.between(new Date(from - dayMs), new Date(from + chunkMs + dayMs), true),
      )
      .map((found) => toStart(found.toPlainDateTime()))
      .filter(({ at }) => at >= from && at < from + chunkMs)
      .sort((one, other) => one.at - other.at);
  return function* startsBetween(from, end) {
    const first = origin + Math.floor((from - origin) / chunkMs) * chunkMs;
    for (let chunk = first; chunk < end; chunk += chunkMs) {
      const starts = chunks.get(chunk) ?? expand(chunk);
      chunks.set(chunk, starts);
      yield* starts;
    }
  };
}

function parseLine(text: string): Line | undefined {
  const [, name, parameters = "", value = ""] =
    /^(RRULE|RDATE|EXDATE)((?:;[^:\s]+)?):(\S+)$/i.exec(text) ?? [];
  if (name === undefined) return undefined;
  const [, named] = /;TZID=([^;]+)/i.exec(parameters) ?? [];
  const timeZone = named === undefined ? undefined : findTimeZone(named);
  if (named !== undefined && timeZone === undefined) return undefined;
  const upper = name.toUpperCase();
  return upper === "RRULE" || upper === "RDATE" || upper === "EXDATE"
    ? { name: upper, timeZone, value: value.toUpperCase() }
    : undefined;
}

/** Calendar rejects rules with a frequency below one day. */
function parseRule(
  text: string,
  first: Temporal.PlainDateTime,
  zone: string,
): RRuleTemporal | undefined {
  const parts = new Map(
    text.split(";").map((part) => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""] as const),
  );
  if ([...parts].some(([name, value]) => !ruleParts.has(name) || value === "")) return undefined;
  if (!/^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(parts.get("FREQ") ?? "")) return undefined;
  if (
    [parts.get("COUNT"), parts.get("INTERVAL")].some(
      (value) => value !== undefined && !/^[1-9]\d{0,5}$/.test(value),
    )
  )
    return undefined;
  const days = (parts.get("BYMONTHDAY") ?? "1").split(",").map(Number);
  if (days.some((day) => !Number.isInteger(day) || day === 0 || Math.abs(day) > 31))
    return undefined;
  const until = parts.get("UNTIL");
  if (until !== undefined) {
    const last = readMoment(/T/.test(until) ? until : `${until}T235959`, undefined, zone);
    if (!last) return undefined;
    parts.set("UNTIL", `${compact(last)}Z`);
  }
  try {
    const rruleString = `RRULE:${[...parts].map(([name, value]) => `${name}=${value}`).join(";")}`;
    return new RRuleTemporal({
      rruleString,
      dtstart: first.toZonedDateTime("UTC"),
      includeDtstart: true,
      strict: true,
      temporal: Temporal,
    });
  } catch {
    return undefined;
  }
}

/** Local time in `zone`. A date alone means its midnight. */
function readMoment(
  text: string,
  timeZone: string | undefined,
  zone: string,
): Temporal.PlainDateTime | undefined {
  const [, date, time = "T000000", utc] = /^(\d{8})(T\d{6})?(Z)?$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  try {
    const wall = Temporal.PlainDateTime.from(`${date}${time}`, { overflow: "reject" });
    if (utc === undefined && (timeZone === undefined || timeZone === zone)) return wall;
    return epochToWall(wallToEpoch(wall, utc === undefined ? (timeZone ?? zone) : "UTC"), zone);
  } catch {
    return undefined;
  }
}

/** "20261103T090000". */
export function compact(wall: Temporal.PlainDateTime): string {
  return wall.toString({ smallestUnit: "second" }).replace(/[-:]/g, "");
}
