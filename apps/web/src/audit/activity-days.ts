import type { ActivityView } from "@bron/protocol";
import { auditWords } from "../words/audit.ts";

/** Rows of one day, in the order in which they came. */
interface ActivityDay {
  /** As in "2026-11-16", in the browser's zone. */
  readonly day: string;
  readonly rows: readonly ActivityView[];
}

/** Rows by the day of their newest entry. They come newest first, and so do the days. */
export function byDay(rows: readonly ActivityView[]): ActivityDay[] {
  return [...Map.groupBy(rows, ({ at }) => dayOf(new Date(at)))].map(([day, its]) => ({
    day,
    rows: its,
  }));
}

/** "Today", "Yesterday", "Monday, November 16", with the year if it is another one. */
export function dayHeading(day: string, now: Date): string {
  if (day === dayOf(now)) return auditWords.today;
  if (day === dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)))
    return auditWords.yesterday;
  // Noon exists on every day, also where clocks change at midnight.
  const date = new Date(`${day}T12:00:00`);
  return date.toLocaleDateString(undefined, {
    weekday: "long",
    month: "long",
    day: "numeric",
    ...(date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }),
  });
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
