import { sampleCount } from "@bron/testing";
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

describe("a rule from a model", () => {
  it("RT9 is shown in words where words are exact", () => {
    expect(shown("FREQ=DAILY")).toBe("every day, no end date");
    expect(shown("RRULE:FREQ=WEEKLY;BYDAY=WE,MO;COUNT=6")).toBe(
      "every week on Monday and Wednesday, 6 times",
    );
    expect(shown("freq=weekly;interval=2;byday=mo")).toBe("every 2 weeks on Monday, no end date");
    expect(shown("FREQ=MONTHLY;COUNT=1")).toBe("every month, once");
    expect(shown("FREQ=YEARLY;UNTIL=20350505", mondayAllDay)).toBe(
      "every year, until Sat, May 5, 2035",
    );
  });

  it("X1 is shown literally, with its dates, where words would be incomplete", () => {
    for (const rule of [
      "FREQ=MONTHLY;BYDAY=MO",
      "FREQ=DAILY;BYDAY=MO",
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SU",
      "FREQ=YEARLY;BYMONTH=5",
      "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1",
      "FREQ=MONTHLY;BYMONTHDAY=5,-27",
    ]) {
      expect(shown(rule)).toBe(`RRULE:${rule}`);
      expect(dates(rule)).toMatch(/^Mon, May 5, 2031; .* and so on$/);
    }
    expect(ruleInWords("EXDATE:20310512T070000Z", monday)).toBe("EXDATE:20310512T070000Z");
    expect(ruleInWords("RRULE:FREQ=WEEKLY;UNTIL=20319999", monday)).toBe(
      "RRULE:FREQ=WEEKLY;UNTIL=20319999",
    );
  });

  it("X1 has words for common weekdays and days of the month", () => {
    expect(shown("FREQ=MONTHLY;BYDAY=1MO;COUNT=3")).toBe(
      "every month on the first Monday, 3 times",
    );
    expect(shown("FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR,1MO")).toBe(
      "every 2 months on the last Friday and the first Monday, no end date",
    );
    expect(shown("FREQ=MONTHLY;BYMONTHDAY=20,5")).toBe("every month on day 5 and 20, no end date");
    expect(shown("FREQ=WEEKLY;WKST=SU;BYDAY=MO")).toBe("every week on Monday, no end date");
  });

  it.each<[string, string, string]>([
    [
      "FREQ=MONTHLY;BYDAY=2MO;COUNT=3",
      "2031-02-10",
      "Mon, Feb 10, 2031; Mon, Mar 10, 2031; Mon, Apr 14, 2031",
    ],
    [
      "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3",
      "2031-01-31",
      "Fri, Jan 31, 2031; Fri, Feb 28, 2031; Fri, Mar 28, 2031",
    ],
    [
      "FREQ=MONTHLY;BYMONTHDAY=31,-1;COUNT=3",
      "2031-01-31",
      "Fri, Jan 31, 2031; Fri, Feb 28, 2031; Mon, Mar 31, 2031",
    ],
    [
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3",
      "2031-05-30",
      "Fri, May 30, 2031; Mon, Jun 30, 2031; Thu, Jul 31, 2031",
    ],
    [
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3",
      "2031-06-13",
      "Fri, Jun 13, 2031; Fri, Feb 13, 2032; Fri, Aug 13, 2032",
    ],
    [
      "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2",
      "2031-11-27",
      "Thu, Nov 27, 2031; Thu, Nov 25, 2032",
    ],
    [
      "FREQ=YEARLY;BYMONTH=6,3;COUNT=3",
      "2031-03-15",
      "Sat, Mar 15, 2031; Sun, Jun 15, 2031; Mon, Mar 15, 2032",
    ],
    [
      "FREQ=MONTHLY;BYMONTH=1,7;COUNT=3",
      "2031-01-15",
      "Wed, Jan 15, 2031; Tue, Jul 15, 2031; Thu, Jan 15, 2032",
    ],
    [
      "FREQ=DAILY;BYMONTHDAY=-1,1;COUNT=3",
      "2031-01-31",
      "Fri, Jan 31, 2031; Sat, Feb 1, 2031; Fri, Feb 28, 2031",
    ],
    ["FREQ=YEARLY;BYDAY=20MO;COUNT=2", "2031-05-19", "Mon, May 19, 2031; Mon, May 17, 2032"],
    [
      "FREQ=DAILY;BYMONTH=1;BYDAY=SA,SU;COUNT=3",
      "2031-01-25",
      "Sat, Jan 25, 2031; Sun, Jan 26, 2031; Sat, Jan 3, 2032",
    ],
    // Weeks start on Sunday here, so that Sunday and the following Monday belong to the same week.
    [
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO;COUNT=4",
      "2031-05-04",
      "Sun, May 4, 2031; Mon, May 5, 2031; Sun, May 18, 2031; Mon, May 19, 2031",
    ],
  ])("X1 follows RFC 5545: %s from %s", (rule, date, words) => {
    expect(dates(rule, { date })).toBe(`${words} (${words.split(";").length} total)`);
  });

  it("X1 names the dates that a clock change moves", () => {
    const sunday = readTime("start", "2031-03-02T02:30", berlin);
    expect(dates("FREQ=WEEKLY;COUNT=5", sunday)).toBe(
      "Sun, Mar 2, 2031; Sun, Mar 9, 2031; Sun, Mar 16, 2031; Sun, Mar 23, 2031; Sun, Mar 30, 2031 at 3:30 AM (clocks go forward) (5 total)",
    );
    expect(dates("FREQ=WEEKLY;COUNT=9", readTime("start", "2031-02-16T02:30", berlin))).toBe(
      "Sun, Feb 16, 2031; Sun, Feb 23, 2031; Sun, Mar 2, 2031; Sun, Mar 9, 2031 … Sun, Mar 30, 2031 at 3:30 AM (clocks go forward) … Sun, Apr 13, 2031 (9 total)",
    );
    expect(dates("FREQ=DAILY", sunday)).toMatch(
      /Wed, Mar 5, 2031 … Sun, Mar 30, 2031 at 3:30 AM \(clocks go forward\) … Sun, Mar 28, 2032 at 3:30 AM \(clocks go forward\) … Sun, Mar 27, 2033 at 3:30 AM \(clocks go forward\); and so on$/,
    );
  });

  it("X1 ends at a moment in the event's own zone, and includes the entire last day", () => {
    expect(shown("FREQ=WEEKLY;UNTIL=20310512T000000Z")).toBe(
      "every week, until Mon, May 12, 2031, 2:00 AM (Europe/Berlin)",
    );
    expect(dates("FREQ=WEEKLY;UNTIL=20310512T000000Z")).toBe("Mon, May 5, 2031 (1 total)");
    expect(dates("FREQ=WEEKLY;UNTIL=20310512T070000Z")).toBe(
      "Mon, May 5, 2031; Mon, May 12, 2031 (2 total)",
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
      "Mon, May 5, 2031; Mon, May 12, 2031 (2 total)",
    );
  });

  it("X1 is shown with its first dates and its last", () => {
    expect(dates("FREQ=WEEKLY;BYDAY=MO,TH;COUNT=8")).toBe(
      "Mon, May 5, 2031; Thu, May 8, 2031; Mon, May 12, 2031; Thu, May 15, 2031 … Thu, May 29, 2031 (8 total)",
    );
    expect(dates("FREQ=DAILY;INTERVAL=3")).toBe(
      "Mon, May 5, 2031; Thu, May 8, 2031; Sun, May 11, 2031; Wed, May 14, 2031; and so on",
    );
    expect(dates("FREQ=MONTHLY;COUNT=3", { date: "2031-01-31" })).toBe(
      "Fri, Jan 31, 2031; Mon, Mar 31, 2031; Sat, May 31, 2031 (3 total)",
    );
    expect(dates("FREQ=YEARLY;COUNT=2", { date: "2028-02-29" })).toBe(
      "Tue, Feb 29, 2028; Sun, Feb 29, 2032 (2 total)",
    );
    expect(dates("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,WE;COUNT=4", { date: "2031-05-07" })).toBe(
      "Wed, May 7, 2031; Sun, May 11, 2031; Wed, May 21, 2031; Sun, May 25, 2031 (4 total)",
    );
  });

  it.each([
    ["EVERY MONDAY", "is not a rule"],
    ["", "is not a rule"],
    ["FREQ=WEEKLY;FREQ=DAILY", "repeats a part"],
    ["BYDAY=MO", "must include FREQ"],
    ["FREQ=HOURLY", "FREQ=HOURLY"],
    ["FREQ=WEEKLY;INTERVAL=X", "INTERVAL=X"],
    ["FREQ=WEEKLY;INTERVAL=0", "INTERVAL=0"],
    ["FREQ=WEEKLY;COUNT=ABC", "COUNT=ABC"],
    ["FREQ=WEEKLY;COUNT=0", "COUNT=0"],
    ["FREQ=WEEKLY;COUNT=-1", "COUNT=-1"],
    ["FREQ=WEEKLY;UNTIL=GARBAGE", "UNTIL=GARBAGE"],
    ["FREQ=WEEKLY;UNTIL=20310231", "invalid date"],
    ["FREQ=WEEKLY;UNTIL=20310512T250000Z", "invalid date"],
    ["FREQ=WEEKLY;UNTIL=99991231", "invalid date"],
    ["FREQ=WEEKLY;UNTIL=20310504", "end before it starts"],
    ["FREQ=WEEKLY;UNTIL=20310505T065959Z", "end before it starts"],
    ["FREQ=WEEKLY;COUNT=2;UNTIL=20320101", "both COUNT and UNTIL"],
    ["FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX"],
    ["FREQ=WEEKLY;BYDAY=1MO", "numbers weekdays"],
    ["FREQ=WEEKLY;BYDAY=TU", "repeats on Tuesday, but the series starts on a Monday"],
    ["FREQ=MONTHLY;BYDAY=2MO", "its first date would be Mon, May 12, 2031"],
    ["FREQ=MONTHLY;BYMONTHDAY=15", "its first date would be Thu, May 15, 2031"],
    ["FREQ=DAILY;BYMONTH=6", "its first date would be Sun, Jun 1, 2031"],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "it has no dates"],
    ["FREQ=MONTHLY;BYDAY=1MO,FR", "ambiguous together"],
    ["FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=5", "ambiguous together"],
    ["FREQ=WEEKLY;BYMONTHDAY=5", "ambiguous together"],
    ["FREQ=DAILY;BYSETPOS=1", "ambiguous together"],
    ["FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY=32"],
    ["FREQ=YEARLY;BYMONTH=13", "BYMONTH=13"],
    ["FREQ=DAILY;BYHOUR=9", "BYHOUR=9"],
    ["FREQ=WEEKLY\nEXDATE=20310512", "is not a rule"],
  ])("RT13 is rejected with a reason before the owner is asked: %j", (rule, words) => {
    expect(() => readRule(rule, monday)).toThrow(words);
  });

  it("RT13 cannot end at a time if the event is all-day", () => {
    expect(() => readRule("FREQ=WEEKLY;UNTIL=20310512T000000Z", mondayAllDay)).toThrow(
      "all-day event",
    );
  });

  it("X1 keeps its meaning when it is read again, and never has more dates than it says", () => {
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
        expect(datesLine([rule], start)).toMatch(new RegExp(`\\(${count} total\\)$`));
        const year = Number(("date" in start ? start.date : start.dateTime).slice(0, 4)) + 100;
        const ending = readRule(`FREQ=${frequency};INTERVAL=${interval};UNTIL=${year}0101`, start);
        expect(readRule(ending, start)).toBe(ending);
      }),
      { numRuns: sampleCount(60) },
    );
  });
});
