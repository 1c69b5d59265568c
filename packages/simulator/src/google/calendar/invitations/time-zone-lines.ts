import { Temporal } from "temporal-polyfill";
import { compact } from "../recurrence.ts";

/** The number of listed clock changes: five years of summer time. */
const maxTransitions = 10;

/** A VTIMEZONE with the offset at `from` and the next clock changes, each as its own block. */
export function timeZoneLines(timeZone: string, from: number): string[] {
  const startTime = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone);
  const previous = startTime.getTimeZoneTransition("previous");
  const observances: string[] = [];
  let transition = previous ?? startTime;
  for (let count = 0; count < maxTransitions; count += 1) {
    observances.push(...observance(transition));
    const next = transition.getTimeZoneTransition("next");
    if (!next) break;
    transition = next;
  }
  return [
    "BEGIN:VTIMEZONE",
    `TZID:${timeZone}`,
    `X-LIC-LOCATION:${timeZone}`,
    ...observances,
    "END:VTIMEZONE",
  ];
}

function observance(transition: Temporal.ZonedDateTime): string[] {
  const before = transition.subtract({ nanoseconds: 1 });
  const kind = transition.offsetNanoseconds > before.offsetNanoseconds ? "DAYLIGHT" : "STANDARD";
  // The local time in the offset before the change.
  const wall = transition.withTimeZone(before.offset).toPlainDateTime();
  return [
    `BEGIN:${kind}`,
    `TZOFFSETFROM:${before.offset.replace(":", "")}`,
    `TZOFFSETTO:${transition.offset.replace(":", "")}`,
    `TZNAME:${transition.toLocaleString("en-US", { timeZoneName: "short" }).split(" ").at(-1) ?? transition.timeZoneId}`,
    `DTSTART:${compact(wall)}`,
    `END:${kind}`,
  ];
}
