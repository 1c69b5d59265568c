import { expect, test } from "vitest";
import { callTool } from "./call-tool.fixture.ts";
import { createClock } from "./clock.ts";

const clock = createClock(() => new Date("2026-11-15T23:30:05Z"));

test.each([
  ["Asia/Tokyo", "2026-11-16T08:30:05+09:00", "Monday, 2026-11-16 08:30 (Asia/Tokyo, UTC+09:00)"],
  [
    "America/New_York",
    "2026-11-15T18:30:05-05:00",
    "Sunday, 2026-11-15 18:30 (America/New_York, UTC-05:00)",
  ],
  ["Asia/Kathmandu", "2026-11-16T05:15:05+05:45", expect.stringContaining("UTC+05:45")],
  ["UTC", "2026-11-15T23:30:05+00:00", "Sunday, 2026-11-15 23:30 (UTC, UTC)"],
])("tells the time in %s", async (timezone, iso, text) => {
  expect(await callTool(clock, { timezone })).toMatchObject({ iso, text });
});

test("tells the time here without a time zone", async () => {
  expect(await callTool(clock, {})).toMatchObject({
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
});

test.each(["Mars/Phobos", "Paris", "Europe/Nowhere"])(
  "explains time zones when given %s",
  async (timezone) => {
    await expect(callTool(clock, { timezone })).rejects.toMatchObject({
      code: "invalid_arguments",
      message: expect.stringContaining("IANA"),
    });
  },
);
