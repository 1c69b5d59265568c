import { Temporal } from "temporal-polyfill";
import { germanHolidays } from "./german-holidays.ts";

export const homeZone = "Europe/Berlin";

/** Working days around the anchor. */
export interface WorkingDays {
  /** The n-th working day. 0 is the anchor's day, or the next working day after it. */
  readonly day: (offset: number) => Temporal.PlainDate;
  /** The Monday of the anchor's week, or of the week that many weeks away. */
  readonly monday: (weeks: number) => Temporal.PlainDate;
}

export function workingDaysAround(anchor: Date): WorkingDays {
  const today = Temporal.Instant.fromEpochMilliseconds(anchor.getTime())
    .toZonedDateTimeISO(homeZone)
    .toPlainDate();
  const holidays = new Set(
    [-1, 0, 1]
      .flatMap((years) => germanHolidays(today.year + years))
      .map(({ date }) => date.toString()),
  );
  const isWorked = (date: Temporal.PlainDate) =>
    date.dayOfWeek <= 5 && !holidays.has(date.toString());
  const step = (from: Temporal.PlainDate, days: 1 | -1): Temporal.PlainDate => {
    const next = from.add({ days });
    return isWorked(next) ? next : step(next, days);
  };
  return {
    day: (offset) => {
      let date = isWorked(today) ? today : step(today, 1);
      for (let count = 0; count < Math.abs(offset); count += 1)
        date = step(date, offset < 0 ? -1 : 1);
      return date;
    },
    monday: (weeks) => today.subtract({ days: today.dayOfWeek - 1 }).add({ weeks }),
  };
}
