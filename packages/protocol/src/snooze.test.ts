import { expect, it } from "vitest";
import { snoozeUntil, type SnoozeTime } from "./snooze.ts";

it.each<[SnoozeTime, Date, Date]>([
  ["1h", new Date(2026, 10, 19, 23, 30), new Date(2026, 10, 20, 0, 30)],
  ["evening", new Date(2026, 10, 19, 9), new Date(2026, 10, 19, 18)],
  ["evening", new Date(2026, 10, 19, 18), new Date(2026, 10, 20, 18)],
  ["tomorrow", new Date(2026, 10, 30, 23, 59), new Date(2026, 11, 1, 8)],
  ["tomorrow", new Date(2026, 10, 19, 0, 1), new Date(2026, 10, 20, 8)],
])("shows an approval that is snoozed for %s at %s again in local time", (time, now, until) => {
  expect(snoozeUntil(time, now)).toEqual(until);
});
