import { expect, test } from "vitest";
import { ageBoundary, dayBoundary, parseSize } from "./query-values.ts";

test.each([
  ["1m", "2026-03-31T12:00:00Z", "2026-02-28T12:00:00.000Z"],
  ["2m", "2026-01-15T12:00:00Z", "2025-11-15T12:00:00.000Z"],
  ["1y", "2028-02-29T12:00:00Z", "2027-02-28T12:00:00.000Z"],
  ["10d", "2026-03-05T12:00:00Z", "2026-02-23T12:00:00.000Z"],
])("%s before %s is %s", (age, now, expected) =>
  expect(new Date(ageBoundary(age, new Date(now)) ?? 0).toISOString()).toBe(expected),
);

test.each(["", "d", "5", "5w", "-5d", "1.5d"])("'%s' is not an age", (age) =>
  expect(ageBoundary(age, new Date())).toBeUndefined(),
);

test.each(["2026/02/30", "2026/13/01", "26/1/1", "yesterday", "2026/1", ""])(
  "'%s' is no day",
  (day) => expect(dayBoundary(day)).toBeUndefined(),
);

test.each([
  ["1000000", 1_000_000],
  ["10M", 10_485_760],
  ["5k", 5_120],
  ["1MB", 1_048_576],
  ["ten", undefined],
  ["1.5M", undefined],
])("the size %s is %s bytes", (size, bytes) => expect(parseSize(size)).toBe(bytes));
