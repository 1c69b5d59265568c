import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTime, type EventTime } from "./event-time.ts";
import { readRule } from "./recurrence.ts";
import { ruleInWords } from "./rule-words.ts";
import { datesLine } from "./series-dates.ts";

const berlin = "Europe/Berlin";
const monday = readTime("start", "2031-05-05T09:00", berlin);
const mondayAllDay: EventTime = { date: "2031-05-05" };
const shown = (rule: string, start = monday) => ruleInWords(readRule(rule, start), start);
const dates = (rule: string, start = monday) =>
  datesLine([readRule(rule, start)], start).replace("Dates: ", "");

describe("a rule that a model gives", () => {
  it("RT9 is in words where words are exact", () => {
    expect(shown("FREQ=DAILY")).toBe("every day, without an end");
    expect(shown("RRULE:FREQ=WEEKLY;BYDAY=WE,MO;COUNT=6")).toBe(
      "every week on Monday and Wednesday, 6 times",
    );
    expect(shown("freq=weekly;interval=2;byday=mo")).toBe(
      "every 2 weeks on Monday, without an end",
    );
    expect(shown("FREQ=MONTHLY;COUNT=1")).toBe("every month, once");
    expect(shown("FREQ=YEARLY;UNTIL=20350505", mondayAllDay)).toBe(
      "every year, until Sat 5 May 2035",
    );
  });

  it("X1 is shown as it is where words would leave something out, and with its dates all the same", () => {
    for (const rule of [
      "FREQ=MONTHLY;BYDAY=MO",
      "FREQ=DAILY;BYDAY=MO",
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SU",
      "FREQ=YEARLY;BYMONTH=5",
      "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1",
      "FREQ=MONTHLY;BYMONTHDAY=5,-27",
    ]) {
      expect(shown(rule)).toBe(`RRULE:${rule}`);
      expect(dates(rule)).toMatch(/^Mon 5 May 2031, .* and so on$/);
    }
    expect(ruleInWords("EXDATE:20310512T070000Z", monday)).toBe("EXDATE:20310512T070000Z");
    expect(ruleInWords("RRULE:FREQ=WEEKLY;UNTIL=20319999", monday)).toBe(
      "RRULE:FREQ=WEEKLY;UNTIL=20319999",
    );
  });

  it("X1 has words for the weekdays and days of months that people use", () => {
    expect(shown("FREQ=MONTHLY;BYDAY=1MO;COUNT=3")).toBe(
      "every month on the first Monday, 3 times",
    );
    expect(shown("FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR,1MO")).toBe(
      "every 2 months on the last Friday and the first Monday, without an end",
    );
    expect(shown("FREQ=MONTHLY;BYMONTHDAY=20,5")).toBe(
      "every month on day 5 and 20, without an end",
    );
    expect(shown("FREQ=WEEKLY;WKST=SU;BYDAY=MO")).toBe("every week on Monday, without an end");
  });

  it.each<[string, string, string]>([
    [
      "FREQ=MONTHLY;BYDAY=2MO;COUNT=3",
      "2031-02-10",
      "Mon 10 Feb 2031, Mon 10 Mar 2031, Mon 14 Apr 2031",
    ],
    [
      "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3",
      "2031-01-31",
      "Fri 31 Jan 2031, Fri 28 Feb 2031, Fri 28 Mar 2031",
    ],
    [
      "FREQ=MONTHLY;BYMONTHDAY=31,-1;COUNT=3",
      "2031-01-31",
      "Fri 31 Jan 2031, Fri 28 Feb 2031, Mon 31 Mar 2031",
    ],
    [
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3",
      "2031-05-30",
      "Fri 30 May 2031, Mon 30 Jun 2031, Thu 31 Jul 2031",
    ],
    [
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3",
      "2031-06-13",
      "Fri 13 Jun 2031, Fri 13 Feb 2032, Fri 13 Aug 2032",
    ],
    ["FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2", "2031-11-27", "Thu 27 Nov 2031, Thu 25 Nov 2032"],
    [
      "FREQ=YEARLY;BYMONTH=6,3;COUNT=3",
      "2031-03-15",
      "Sat 15 Mar 2031, Sun 15 Jun 2031, Mon 15 Mar 2032",
    ],
    [
      "FREQ=MONTHLY;BYMONTH=1,7;COUNT=3",
      "2031-01-15",
      "Wed 15 Jan 2031, Tue 15 Jul 2031, Thu 15 Jan 2032",
    ],
    [
      "FREQ=DAILY;BYMONTHDAY=-1,1;COUNT=3",
      "2031-01-31",
      "Fri 31 Jan 2031, Sat 1 Feb 2031, Fri 28 Feb 2031",
    ],
    ["FREQ=YEARLY;BYDAY=20MO;COUNT=2", "2031-05-19", "Mon 19 May 2031, Mon 17 May 2032"],
    [
      "FREQ=DAILY;BYMONTH=1;BYDAY=SA,SU;COUNT=3",
      "2031-01-25",
      "Sat 25 Jan 2031, Sun 26 Jan 2031, Sat 3 Jan 2032",
    ],
    // Weeks that begin on Sundays: that Sunday and the Monday after it are of one week.
    [
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO;COUNT=4",
      "2031-05-04",
      "Sun 4 May 2031, Mon 5 May 2031, Sun 18 May 2031, Mon 19 May 2031",
    ],
  ])("X1 has the dates of RFC 5545: %s from %s", (rule, date, words) => {
    expect(dates(rule, { date })).toBe(`${words} (${words.split(",").length} in all)`);
  });

  it("X1 says which dates clocks move, wherever they are among them", () => {
    const sunday = readTime("start", "2031-03-02T02:30", berlin);
    expect(dates("FREQ=WEEKLY;COUNT=5", sunday)).toBe(
      "Sun 2 Mar 2031, Sun 9 Mar 2031, Sun 16 Mar 2031, Sun 23 Mar 2031, Sun 30 Mar 2031 at 03:30 (clocks are set forward) (5 in all)",
    );
    expect(dates("FREQ=WEEKLY;COUNT=9", readTime("start", "2031-02-16T02:30", berlin))).toBe(
      "Sun 16 Feb 2031, Sun 23 Feb 2031, Sun 2 Mar 2031, Sun 9 Mar 2031 … Sun 30 Mar 2031 at 03:30 (clocks are set forward) … Sun 13 Apr 2031 (9 in all)",
    );
    expect(dates("FREQ=DAILY", sunday)).toMatch(
      /Wed 5 Mar 2031 … Sun 30 Mar 2031 at 03:30 \(clocks are set forward\) … Sun 28 Mar 2032 at 03:30 \(clocks are set forward\) … Sun 27 Mar 2033 at 03:30 \(clocks are set forward\) and so on$/,
    );
  });

  it("X1 ends at a moment of the event's own zone, and a day counts whole", () => {
    expect(shown("FREQ=WEEKLY;UNTIL=20310512T000000Z")).toBe(
      "every week, until Mon 12 May 2031, 02:00 (Europe/Berlin)",
    );
    expect(dates("FREQ=WEEKLY;UNTIL=20310512T000000Z")).toBe("Mon 5 May 2031 (1 in all)");
    expect(dates("FREQ=WEEKLY;UNTIL=20310512T070000Z")).toBe(
      "Mon 5 May 2031, Mon 12 May 2031 (2 in all)",
    );
    expect(readRule("FREQ=WEEKLY;UNTIL=20310512", monday)).toBe(
      "RRULE:FREQ=WEEKLY;UNTIL=20310512T215959Z",
    );
    expect(readRule("FREQ=WEEKLY;UNTIL=20310512T090000", monday)).toBe(
      "RRULE:FREQ=WEEKLY;UNTIL=20310512T070000Z",
    );
    expect(readRule("FREQ=WEEKLY;UNTIL=20310512", mondayAllDay)).toBe(
      "RRULE:FREQ=WEEKLY;UNTIL=20310512",
    );
    expect(dates("FREQ=WEEKLY;UNTIL=20310512", mondayAllDay)).toBe(
      "Mon 5 May 2031, Mon 12 May 2031 (2 in all)",
    );
  });

  it("X1 comes with its first dates and its last", () => {
    expect(dates("FREQ=WEEKLY;BYDAY=MO,TH;COUNT=8")).toBe(
      "Mon 5 May 2031, Thu 8 May 2031, Mon 12 May 2031, Thu 15 May 2031 … Thu 29 May 2031 (8 in all)",
    );
    expect(dates("FREQ=DAILY;INTERVAL=3")).toBe(
      "Mon 5 May 2031, Thu 8 May 2031, Sun 11 May 2031, Wed 14 May 2031 and so on",
    );
    expect(dates("FREQ=MONTHLY;COUNT=3", { date: "2031-01-31" })).toBe(
      "Fri 31 Jan 2031, Mon 31 Mar 2031, Sat 31 May 2031 (3 in all)",
    );
    expect(dates("FREQ=YEARLY;COUNT=2", { date: "2028-02-29" })).toBe(
      "Tue 29 Feb 2028, Sun 29 Feb 2032 (2 in all)",
    );
    expect(dates("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,WE;COUNT=4", { date: "2031-05-07" })).toBe(
      "Wed 7 May 2031, Sun 11 May 2031, Wed 21 May 2031, Sun 25 May 2031 (4 in all)",
    );
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
    ["FREQ=MONTHLY;BYDAY=2MO", "the first of its dates would be Mon 12 May 2031"],
    ["FREQ=MONTHLY;BYMONTHDAY=15", "the first of its dates would be Thu 15 May 2031"],
    ["FREQ=DAILY;BYMONTH=6", "the first of its dates would be Sun 1 Jun 2031"],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "it has no date at all"],
    ["FREQ=MONTHLY;BYDAY=1MO,FR", "no one meaning"],
    ["FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=5", "no one meaning"],
    ["FREQ=WEEKLY;BYMONTHDAY=5", "no one meaning"],
    ["FREQ=DAILY;BYSETPOS=1", "no one meaning"],
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
    const days = fc
      .integer({ min: 0, max: 20_000 })
      .map((day) => new Date(Date.UTC(2020, 0, 1) + day * 86_400_000).toISOString().slice(0, 10));
    const starts = fc.oneof(
      days.map((date): EventTime => ({ date })),
      days.map((day) => readTime("start", `${day}T09:00`, berlin)),
    );
    const rules = fc.record({
      frequency: fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY"),
      interval: fc.integer({ min: 1, max: 30 }),
      count: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(starts, rules, (start, { frequency, interval, count }) => {
        const rule = readRule(`FREQ=${frequency};INTERVAL=${interval};COUNT=${count}`, start);
        expect(readRule(rule, start)).toBe(rule);
        expect(datesLine([rule], start)).toMatch(new RegExp(`\\(${count} in all\\)$`));
        const year = Number(("date" in start ? start.date : start.dateTime).slice(0, 4)) + 100;
        const ending = readRule(`FREQ=${frequency};INTERVAL=${interval};UNTIL=${year}0101`, start);
        expect(readRule(ending, start)).toBe(ending);
      }),
      { numRuns: 60 },
    );
  });
});
