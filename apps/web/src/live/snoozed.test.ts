import { expect, it } from "vitest";
import { notSnoozed, untilNextSnooze, withoutPastSnooze } from "./snoozed.ts";

const snoozed = (ms: number) =>
  withoutPastSnooze({
    state: "pending" as const,
    snoozedUntil: new Date(Date.now() + ms).toISOString(),
  });
const open = { state: "pending" as const, snoozedUntil: null };

it("leaves snoozed approvals out until their time", () => {
  const [later, past] = [snoozed(60_000), snoozed(-1)];
  expect(notSnoozed([open, later, past])).toEqual([open, past]);
  expect(past.snoozedUntil).toBeNull();
});

it("looks again when the next one is due, and at least once an hour", () => {
  expect(untilNextSnooze([open])).toBe(false);
  const wait = untilNextSnooze([open, snoozed(90_000), snoozed(60_000)]);
  expect(wait).toBeGreaterThan(59_000);
  expect(wait).toBeLessThanOrEqual(60_500);
  expect(untilNextSnooze([snoozed(100 * 3_600_000)])).toBe(3_600_000);
});
