import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTime, type EventTime } from "./event-time.ts";
import { readRule } from "./recurrence.ts";
import { datesInWords } from "./rule-dates.ts";
import { ruleInWords } from "./rule-words.ts";

const berlin = "Europe/Berlin";
const monday = readTime("start", "2031-05-05T09:00", berlin);
const mondayAllDay: EventTime = { date: "2031-05-05" };
const shown = (rule: string, start = monday) => ruleInWords(readRule(rule, start), start);
const dates = (rule: string, start = monday) => datesInWords(readRule(rule, start), start);

describe("a rule that a model gives", () => {
  it("RT9 is in words where words are exact", () => {
    expect(shown("FREQ=DAILY")).toBe("every day, without an end");
    expect(shown("RRULE:FREQ=WEEKLY;BYDAY=WE,MO;COUNT=6")).toBe("every week on Monday and Wednesday, 6 times");
    expect(shown("freq=weekly;interval=2;byday=mo")).toBe("every 2 weeks on Monday, without an end");
    expect(shown("FREQ=MONTHLY;COUNT=1")).toBe("every month, once");
    expect(shown("FREQ=YEARLY;UNTIL=20350505", mondayAllDay)).toBe("every year, until Sat 5 May 2035");
  });

  it("X1 is shown as it is where words would leave something out", () => {
    for (const rule of ["FREQ=MONTHLY;BYDAY=MO", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=DAILY;BYDAY=MO", "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SU", "FREQ=MONTHLY;BYMONTHDAY=5", "FREQ=YEARLY;BYMONTH=5", "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1"]) {
      expect(shown(rule)).toBe(`RRULE:${rule}`);
      expect(dates(rule)).toBeUndefined();
    }
    expect(ruleInWords("EXDATE:20310512T070000Z", monday)).toBe("EXDATE:20310512T070000Z");
    expect(ruleInWords("RRULE:FREQ=WEEKLY;UNTIL=20319999", monday)).toBe("RRULE:FREQ=WEEKLY;UNTIL=20319999");
  });

  it("X1 ends at a moment of the event's own zone, and a day counts whole", () => {
    expect(shown("FREQ=WEEKLY;UNTIL=20310512T000000Z")).toBe("every week, until Mon 12 May 2031, 02:00 (Europe/Berlin)");
    expect(dates("FREQ=WEEKLY;UNTIL=20310512T000000Z")).toBe("Mon 5 May 2031 (1 in all)");
    expect(dates("FREQ=WEEKLY;UNTIL=20310512T070000Z")).toBe("Mon 5 May 2031, Mon 12 May 2031 (2 in all)");
    expect(readRule("FREQ=WEEKLY;UNTIL=20310512", monday)).toBe("RRULE:FREQ=WEEKLY;UNTIL=20310512T215959Z");
    expect(readRule("FREQ=WEEKLY;UNTIL=20310512T090000", monday)).toBe("RRULE:FREQ=WEEKLY;UNTIL=20310512T070000Z");
    expect(readRule("FREQ=WEEKLY;UNTIL=20310512", mondayAllDay)).toBe("RRULE:FREQ=WEEKLY;UNTIL=20310512");
    expect(dates("FREQ=WEEKLY;UNTIL=20310512", mondayAllDay)).toBe("Mon 5 May 2031, Mon 12 May 2031 (2 in all)");
  });

  it("X1 comes with its first dates and its last", () => {
    expect(dates("FREQ=WEEKLY;BYDAY=MO,TH;COUNT=8")).toBe("Mon 5 May 2031, Thu 8 May 2031, Mon 12 May 2031, Thu 15 May 2031 … Thu 29 May 2031 (8 in all)");
    expect(dates("FREQ=DAILY;INTERVAL=3")).toBe("Mon 5 May 2031, Thu 8 May 2031, Sun 11 May 2031, Wed 14 May 2031 and so on");
    expect(dates("FREQ=MONTHLY;COUNT=3", { date: "2031-01-31" })).toBe("Fri 31 Jan 2031, Mon 31 Mar 2031, Sat 31 May 2031 (3 in all)");
    expect(dates("FREQ=YEARLY;COUNT=2", { date: "2028-02-29" })).toBe("Tue 29 Feb 2028, Sun 29 Feb 2032 (2 in all)");
    expect(dates("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,WE;COUNT=4", { date: "2031-05-07" })).toBe("Wed 7 May 2031, Sun 11 May 2031, Wed 21 May 2031, Sun 25 May 2031 (4 in all)");
  });

  it.each([
    ["EVERY MONDAY", "is not a rule"],
    ["", "is not a rule"],
    ["FREQ=WEEKLY;FREQ=DAILY", "twice"],
    ["BYDAY=MO", "must say FREQ"],
    ["FREQ=HOURLY", "FREQ=HOURLY"],
    ["FREQ=WEEKLY;INTERVAL=X", "INTERVAL=X"],
    ["FREQ=WEEKLY;INTERVAL=0", "INTERVAL=0"],
    ["FREQ=WEEKLY;COUNT=ABC", "COUNT=ABC"],
    ["FREQ=WEEKLY;COUNT=0", "COUNT=0"],
    ["FREQ=WEEKLY;COUNT=-1", "COUNT=-1"],
    ["FREQ=WEEKLY;UNTIL=GARBAGE", "UNTIL=GARBAGE"],
    ["FREQ=WEEKLY;UNTIL=20310231", "no date"],
    ["FREQ=WEEKLY;UNTIL=20310512T250000Z", "no date"],
    ["FREQ=WEEKLY;UNTIL=99991231", "no date"],
    ["FREQ=WEEKLY;UNTIL=20310504", "end before it begins"],
    ["FREQ=WEEKLY;UNTIL=20310505T065959Z", "end before it begins"],
    ["FREQ=WEEKLY;COUNT=2;UNTIL=20320101", "both COUNT and UNTIL"],
    ["FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX"],
    ["FREQ=WEEKLY;BYDAY=1MO", "counts weekdays"],
    ["FREQ=WEEKLY;BYDAY=TU", "repeats on Tuesday, and that is a Monday"],
    ["FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY=32"],
    ["FREQ=YEARLY;BYMONTH=13", "BYMONTH=13"],
    ["FREQ=DAILY;BYHOUR=9", "BYHOUR=9"],
    ["FREQ=WEEKLY\nEXDATE=20310512", "is not a rule"],
  ])("RT13 is refused in words before anybody is asked: %j", (rule, words) => {
    expect(() => readRule(rule, monday)).toThrow(words);
  });

  it("RT13 has no end at a time if the event has days only", () => {
    expect(() => readRule("FREQ=WEEKLY;UNTIL=20310512T000000Z", mondayAllDay)).toThrow("days only");
  });

  it("X1 means the same however often it is read, and never more dates than it says", () => {
    const days = fc.integer({ min: 0, max: 20_000 }).map((day) => new Date(Date.UTC(2020, 0, 1) + day * 86_400_000).toISOString().slice(0, 10));
    const starts = fc.oneof(days.map((date): EventTime => ({ date })), days.map((day) => readTime("start", `${day}T09:00`, berlin)));
    const rules = fc.record({ frequency: fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY"), interval: fc.integer({ min: 1, max: 30 }), count: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(starts, rules, (start, { frequency, interval, count }) => {
        const rule = readRule(`FREQ=${frequency};INTERVAL=${interval};COUNT=${count}`, start);
        expect(readRule(rule, start)).toBe(rule);
        expect(datesInWords(rule, start)).toMatch(new RegExp(`\\(${count} in all\\)$`));
        const year = Number(("date" in start ? start.date : start.dateTime).slice(0, 4)) + 100;
        const ending = readRule(`FREQ=${frequency};INTERVAL=${interval};UNTIL=${year}0101`, start);
        expect(readRule(ending, start)).toBe(ending);
      }),
      { numRuns: 60 },
    );
  });
});
