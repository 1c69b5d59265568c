import { expect, it } from "vitest";
import { readUntil } from "./snooze-approval.ts";

const now = new Date("2026-11-19T10:00:00Z");

it.each([
  ["now", undefined],
  ["1h", "2026-11-19T11:00:00.000Z"],
  ["2026-11-20T09:00:00+01:00", "2026-11-20T08:00:00.000Z"],
])("reads %s as a time until which an approval is hidden", (text, time) => {
  expect(readUntil(text, now)?.toISOString()).toBe(time);
});

it.each(["", "later", "2026-11-18T09:00:00Z", "2026-11-20", "2026-11-20T09:00:00", "5"])(
  "rejects %j as a time until which an approval is hidden",
  (text) => {
    expect(() => readUntil(text, now)).toThrow("is not a time to come");
  },
);
