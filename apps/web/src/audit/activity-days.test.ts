import { expect, it } from "vitest";
import { byDay, dayHeading } from "./activity-days.ts";

const at = (...parts: [number, number, number, number, number]) => new Date(...parts);
const now = at(2026, 10, 16, 0, 5);

it.each([
  ["2026-11-16", "Today"],
  ["2026-11-15", "Yesterday"],
  ["2026-11-14", "Saturday, November 14"],
  ["2025-11-16", "Sunday, November 16, 2025"],
])("BR25 names the day %s", (day, name) => {
  expect(dayHeading(day, now)).toBe(name);
});

it("BR25 puts rows under the day that it was in the browser's zone", () => {
  const row = (id: number, date: Date) => ({
    id,
    at: date.toISOString(),
    task: null,
    entries: [],
  });
  const rows = [
    row(4, at(2026, 10, 16, 0, 1)),
    row(3, at(2026, 10, 15, 23, 59)),
    row(2, at(2026, 10, 15, 0, 0)),
    row(1, at(2026, 10, 1, 12, 0)),
  ];
  expect(byDay(rows).map(({ day, rows: its }) => [day, its.map(({ id }) => id)])).toEqual([
    ["2026-11-16", [4]],
    ["2026-11-15", [3, 2]],
    ["2026-11-01", [1]],
  ]);
});
