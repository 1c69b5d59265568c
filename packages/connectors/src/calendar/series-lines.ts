import { Temporal } from "temporal-polyfill";
import type { EventTime } from "./event-time.ts";

/** The parsed recurrence lines of an event. */
export interface Series {
  /** The rule as written. Undefined if there is none or more than one. */
  readonly rule: string | undefined;
  /** Dates canceled by EXDATE. */
  readonly off: readonly EventTime[];
  /** Dates added by RDATE. */
  readonly extra: readonly EventTime[];
  /** Unsupported lines, and lines whose dates do not match an all-day or a timed event. */
  readonly unread: readonly string[];
}

export function readSeries(lines: readonly string[], start: EventTime): Series {
  const isRule = (line: string) => /^RRULE:/i.test(line);
  const rules = lines.filter(isRule);
  const read = lines
    .filter((line) => !isRule(line))
    .map((line) => ({ line, listed: readListed(line, start) }));
  const timesOf = (name: string) =>
    read.flatMap(({ listed }) => (listed?.name === name ? listed.times : []));
  return {
    rule: rules.length === 1 ? rules[0] : undefined,
    off: timesOf("EXDATE"),
    extra: timesOf("RDATE"),
    unread: [
      ...(rules.length > 1 ? rules : []),
      ...read.filter(({ listed }) => !listed).map(({ line }) => line),
    ],
  };
}

function readListed(
  line: string,
  start: EventTime,
): { readonly name: string; readonly times: EventTime[] } | undefined {
  const [, name = "", parameters = "", values = ""] =
    /^(EXDATE|RDATE)((?:;[^:;]+)*):(.+)$/i.exec(line.trim()) ?? [];
  const [, zone = "dateTime" in start ? start.timeZone : "UTC"] =
    /;TZID="?([^;"]+)"?/i.exec(parameters) ?? [];
  const times = values.split(",").map((value) => readMoment(value, zone, start));
  return name !== "" && !times.includes(undefined)
    ? { name: name.toUpperCase(), times: times.flatMap((time) => time ?? []) }
    : undefined;
}

/** A day does not apply to a timed event, and a time does not apply to an all-day event. */
function readMoment(text: string, zone: string, start: EventTime): EventTime | undefined {
  const [, date, time, utc] = /^(\d{8})(?:T(\d{6})(Z)?)?$/i.exec(text.trim()) ?? [];
  if (date === undefined || (time === undefined) !== "date" in start) return undefined;
  try {
    if ("date" in start)
      return { date: Temporal.PlainDate.from(date, { overflow: "reject" }).toString() };
    const moment = Temporal.PlainDateTime.from(`${date}T${time ?? ""}`, {
      overflow: "reject",
    }).toZonedDateTime(utc === undefined ? zone : "UTC");
    return {
      dateTime: moment.withTimeZone(start.timeZone).toString({ timeZoneName: "never" }),
      timeZone: start.timeZone,
    };
  } catch {
    return undefined;
  }
}

export function writeSeries({
  rule,
  off,
  extra,
}: {
  readonly rule: string;
  readonly off: readonly EventTime[];
  readonly extra: readonly EventTime[];
}): string[] {
  return [rule, ...writeListed("EXDATE", off), ...writeListed("RDATE", extra)];
}

function writeListed(name: string, times: readonly EventTime[]): string[] {
  const [first] = times;
  if (!first) return [];
  const parameter = "date" in first ? "VALUE=DATE" : `TZID=${first.timeZone}`;
  return [
    `${name};${parameter}:${times.map((time) => ("date" in time ? time.date : time.dateTime.slice(0, 19)).replaceAll(/[-:]/g, "")).join(",")}`,
  ];
}
