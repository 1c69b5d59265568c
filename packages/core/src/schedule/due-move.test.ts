import { describe, expect, it } from "vitest";
import type { Schedule } from "../ports/schedules.ts";
import { moveDue } from "./due-move.ts";
import { nextTimes } from "./next-times.ts";

const schedule: Schedule & { readonly nextAt: string } = {
  id: "s",
  ownerId: "o",
  bronId: "b",
  title: "t",
  prompt: "p",
  isProposed: false,
  kind: "cron",
  expression: "0 8 * * 1-5",
  zone: "Europe/Berlin",
  watch: null,
  missed: "once",
  overlap: "skip",
  endAt: null,
  trustLevel: null,
  caps: {},
  state: "active",
  reason: null,
  problem: null,
  failures: 0,
  nextAt: "2026-11-20T07:00:00.000Z",
  skipped: null,
  createdAt: "2026-11-01T00:00:00.000Z",
};
const at = (time: string, extra = {}) => ({
  now: Date.parse(time),
  isBudgetSpent: false,
  hasOpenRun: false,
  ...extra,
});

describe("what becomes of a schedule that is due", () => {
  it("BR27 starts its run and moves to the next time in its zone", () => {
    expect(moveDue(schedule, at("2026-11-20T07:00:01Z"))).toEqual({
      starts: true,
      nextAt: "2026-11-23T07:00:00.000Z",
      reason: null,
    });
  });

  it("BR27 starts once for all times that were missed, or skips them", () => {
    const late = at("2026-11-25T12:00:00Z");
    expect(moveDue(schedule, late)).toMatchObject({
      starts: true,
      nextAt: "2026-11-26T07:00:00.000Z",
    });
    expect(moveDue({ ...schedule, missed: "skip" }, late)).toMatchObject({
      starts: false,
      skipped: "missed",
      nextAt: "2026-11-26T07:00:00.000Z",
    });
  });

  it("BR27 skips while the last run is under way, or the budget is spent", () => {
    const now = "2026-11-20T07:00:01Z";
    expect(moveDue(schedule, at(now, { hasOpenRun: true })).skipped).toBe("overlap");
    expect(moveDue(schedule, at(now, { isBudgetSpent: true })).skipped).toBe("budget");
  });

  it("BR27 ends after its only time, and at its end date", () => {
    const now = at("2026-11-20T07:00:01Z");
    const once = { ...schedule, kind: "once", expression: "2026-11-20T08:00" } as const;
    expect(moveDue(once, now)).toEqual({ starts: true, nextAt: null, reason: "done" });
    const ending = { ...schedule, endAt: "2026-11-22T00:00:00Z" };
    expect(moveDue(ending, now)).toMatchObject({ nextAt: null, reason: "end_date" });
  });
});

describe("the times of a schedule", () => {
  const after = Date.parse("2026-11-20T12:00:00Z");
  it.each([
    { kind: "cron", expression: "61 * * * *" },
    { kind: "cron", expression: "* * * * * *" },
    { kind: "interval", expression: "30s" },
    { kind: "interval", expression: "0m" },
    { kind: "once", expression: "2026-02-30T09:00" },
    { kind: "once", expression: "tomorrow" },
  ] as const)("rejects $kind $expression", (timing) => {
    expect(() => nextTimes({ ...timing, zone: "UTC" }, 1, { after })).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });

  it("rejects an unknown zone", () => {
    const timing = { kind: "cron", expression: "0 8 * * *", zone: "Mars/Base" } as const;
    expect(() => nextTimes(timing, 1, { after })).toThrow(/Unknown time zone/);
  });

  it("reads a date and time in the zone of the schedule, unless it has an offset", () => {
    const timesOf = (expression: string) =>
      nextTimes({ kind: "once", expression, zone: "Asia/Tokyo" }, 1, { after }).map((time) =>
        new Date(time).toISOString(),
      );
    expect(timesOf("2026-12-24T09:00")).toEqual(["2026-12-24T00:00:00.000Z"]);
    expect(timesOf("2026-12-24T09:00+01:00")).toEqual(["2026-12-24T08:00:00.000Z"]);
    expect(timesOf("2026-11-01T09:00")).toEqual([]);
  });
});
