import { Temporal } from "temporal-polyfill";
import { epochToWall } from "../event-time.ts";
import type { StoredEvent } from "../stored-event.ts";

/** Formats a time like Google's subjects: "Tue Nov 3, 2026 9am - 10:30am (CET)". */
export function whenWords(
  { start, end }: Pick<StoredEvent, "start" | "end">,
  timeZone: string,
): string {
  if ("date" in start || "date" in end) {
    const first = Temporal.PlainDate.from(
      "date" in start ? start.date : epochToWall(start.at, timeZone).toPlainDate(),
    );
    const after = Temporal.PlainDate.from(
      "date" in end ? end.date : epochToWall(end.at, timeZone).toPlainDate(),
    );
    const last = after.subtract({ days: 1 });
    return Temporal.PlainDate.compare(last, first) <= 0
      ? day(first)
      : `${day(first)} - ${day(last)}`;
  }
  const [from, to] = [epochToWall(start.at, timeZone), epochToWall(end.at, timeZone)];
  const zoneName =
    new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" })
      .formatToParts(start.at)
      .find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  const until = from.toPlainDate().equals(to.toPlainDate())
    ? hour(to)
    : `${day(to.toPlainDate())} ${hour(to)}`;
  return `${day(from.toPlainDate())} ${hour(from)} - ${until} (${zoneName})`;
}

function day(date: Temporal.PlainDate): string {
  const [weekday, month] = [
    date.toLocaleString("en-US", { weekday: "short" }),
    date.toLocaleString("en-US", { month: "short" }),
  ];
  return `${weekday} ${month} ${date.day}, ${date.year}`;
}

function hour({ hour: hours, minute }: Temporal.PlainDateTime): string {
  return `${hours % 12 || 12}${minute === 0 ? "" : `:${String(minute).padStart(2, "0")}`}${hours < 12 ? "am" : "pm"}`;
}
