import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { after, dayBounds, minutesBetween, readTime } from "./event-time.ts";
import { whenInWords } from "./time-words.ts";

const berlin = "Europe/Berlin";

describe("a time from a model", () => {
  it("RT9 is read in the zone, with the offset of that day", () => {
    expect(readTime("start", "2026-03-28T09:00", berlin)).toEqual({
      dateTime: "2026-03-28T09:00:00+01:00",
      timeZone: berlin,
    });
    expect(readTime("start", "2026-03-30T09:00", berlin)).toEqual({
      dateTime: "2026-03-30T09:00:00+02:00",
      timeZone: berlin,
    });
    expect(readTime("start", "2026-03-30T09:00-04:00", berlin)).toEqual({
      dateTime: "2026-03-30T15:00:00+02:00",
      timeZone: berlin,
    });
    expect(readTime("start", "2026-03-30", berlin)).toEqual({ date: "2026-03-30" });
  });

  it("RT9 is not guessed when clocks go forward or back", () => {
    expect(() => readTime("start", "2026-03-29T02:30", berlin)).toThrow(
      "does not exist in Europe/Berlin",
    );
    expect(() => readTime("start", "2026-10-25T02:30", berlin)).toThrow(
      "2026-10-25T02:30:00+02:00 or 2026-10-25T02:30:00+01:00",
    );
    expect(readTime("start", "2026-10-25T02:30+01:00", berlin)).toEqual({
      dateTime: "2026-10-25T02:30:00+01:00",
      timeZone: berlin,
    });
  });

  it("RT13 is rejected with a reason when it is invalid", () => {
    for (const text of [
      "tomorrow",
      "2026-02-30",
      "2026-13-01T09:00",
      "2026-03-30T25:00",
      "",
      "9:00",
      "+010000-01-01T00:00Z",
      "2026-03-30T09:00+02:00[Europe/Berlin]",
    ])
      expect(() => readTime("start", text, berlin)).toThrow(/is not a time/);
    for (const zone of ["Mars/Olympus", "+02:00", "-04", ""])
      expect(() => readTime("start", "2026-03-30", zone)).toThrow("is not a time zone");
    for (const text of ["1899-12-31", "2201-01-01T09:00", "2201-01-02T00:00Z"])
      expect(() => readTime("start", text, berlin)).toThrow("between 1900 and 2200");
  });

  it("RT9 keeps its length in elapsed minutes across clock changes", () => {
    const zones = fc.constantFrom(
      berlin,
      "America/New_York",
      "Australia/Lord_Howe",
      "Asia/Kolkata",
      "UTC",
      "America/St_Johns",
    );
    const instants = fc.date({
      min: new Date("2020-01-01"),
      max: new Date("2035-01-01"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, instants, fc.integer({ min: 1, max: 40_000 }), (zone, at, minutes) => {
        const start = readTime("start", at.toISOString(), zone);
        const end = after(start, minutes);
        expect(minutesBetween(start, end)).toBe(minutes);
        if (!("dateTime" in start)) throw new Error("a day");
        expect(Math.floor(Date.parse(start.dateTime) / 1_000)).toBe(
          Math.floor(at.getTime() / 1_000),
        );
      }),
    );
  });

  it("RT9 bounds a day by its own midnights, even if it has 23 or 25 hours", () => {
    const hours = (day: string) => {
      const { from, to } = dayBounds(day, berlin);
      return (Date.parse(to) - Date.parse(from)) / 3_600_000;
    };
    expect([hours("2026-03-28"), hours("2026-03-29"), hours("2026-10-25")]).toEqual([24, 23, 25]);
  });
});

describe("a time in words", () => {
  it("X1 names weekday, date, zone and offset, and the owner's zone if it differs", () => {
    const start = readTime("start", "2026-03-30T09:00", "America/New_York");
    expect(whenInWords(start, after(start, 90), berlin)).toBe(
      "Mon, Mar 30, 2026, 9:00–10:30 AM (America/New_York, UTC-04:00); your time: Mon, Mar 30, 2026, 3:00–4:30 PM (Europe/Berlin, UTC+02:00)",
    );
    // A zone with the same offset is not a different time.
    const paris = readTime("start", "2026-03-30T09:00", "Europe/Paris");
    expect(whenInWords(paris, after(paris, 60), berlin)).toBe(
      "Mon, Mar 30, 2026, 9:00–10:00 AM (Europe/Paris, UTC+02:00)",
    );
    expect(whenInWords({ date: "2026-03-30" }, { date: "2026-04-02" }, berlin)).toBe(
      "Mon, Mar 30, 2026 to Wed, Apr 1, 2026, all day",
    );
    const late = readTime("start", "2026-10-24T23:30", berlin);
    expect(whenInWords(late, after(late, 180), berlin)).toBe(
      "Sat, Oct 24, 2026, 11:30 PM to Sun, Oct 25, 2026, 2:30 AM (Europe/Berlin, UTC+02:00)",
    );
  });

  it("X1 names both offsets when clocks change in between, and in which zone", () => {
    const start = readTime("start", "2031-10-26T01:30", berlin);
    expect(whenInWords(start, after(start, 60), berlin)).toBe(
      "Sun, Oct 26, 2031, 1:30–2:30 AM (Europe/Berlin, UTC+02:00)",
    );
    expect(whenInWords(start, after(start, 120), berlin)).toBe(
      "Sun, Oct 26, 2031, 1:30–2:30 AM (Europe/Berlin, UTC+02:00 to UTC+01:00)",
    );
    const steady = readTime("start", "2031-10-26T01:30", "Africa/Johannesburg");
    expect(whenInWords(steady, after(steady, 120), berlin)).toContain(
      "1:30–3:30 AM (Africa/Johannesburg, UTC+02:00); your time: Sun, Oct 26, 2031, 1:30–2:30 AM (Europe/Berlin, UTC+02:00 to UTC+01:00)",
    );
  });
});
