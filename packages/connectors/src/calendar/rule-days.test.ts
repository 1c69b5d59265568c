import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";
import { expect, it } from "vitest";
import { daysOf } from "./rule-days.ts";
import { parseRule } from "./rule-parts.ts";

const first = Temporal.PlainDate.from("2031-05-05");
const weekday = fc.constantFrom("MO", "TU", "WE", "TH", "FR", "SA", "SU");
const listOf = (value: fc.Arbitrary<string | number>) =>
  fc.array(value, { minLength: 1, maxLength: 3 }).map((values) => values.join(","));
const part = (name: string, value: fc.Arbitrary<string | number>) =>
  fc.option(value.map((written) => `${name}=${written}`));
/** The library counts a 53rd weekday into the next year, and a -53rd into the previous one. */
const nths = fc.constantFrom("", "", 1, 2, 4, 5, 20, -1, -2, -20);

const texts = fc
  .tuple(
    fc.constantFrom("DAILY", "WEEKLY", "MONTHLY", "YEARLY").map((name) => `FREQ=${name}`),
    part("INTERVAL", fc.integer({ min: 1, max: 4 })),
    part("BYDAY", listOf(fc.tuple(nths, weekday).map((words) => words.join("")))),
    part("BYMONTHDAY", listOf(fc.constantFrom(1, 13, 28, 29, 30, 31, -1, -2, -31))),
    part("BYMONTH", listOf(fc.integer({ min: 1, max: 12 }))),
    part("BYSETPOS", listOf(fc.constantFrom(1, 2, -1, -2))),
    part("WKST", weekday),
  )
  .map((parts) => `RRULE:${parts.filter(Boolean).join(";")}`);
const starts = fc.integer({ min: 0, max: 9_000 }).map((days) => first.add({ days }));

it("X1 generates the same days as rrule-temporal", { timeout: 60_000 }, () => {
  const maxDays = 12;
  fc.assert(
    fc.property(texts, starts, (text, start) => {
      const rule = parseRule(text);
      fc.pre(rule !== undefined);
      const end = start.add({ years: 3 });
      const found: string[] = [];
      for (const day of daysOf(rule, start)) {
        if (found.length === maxDays || Temporal.PlainDate.compare(day, end) > 0) break;
        found.push(day.toString());
      }
      expect(found, `${text} from ${start.toString()}`).toEqual(
        libraryDays(text, start, end).slice(0, maxDays),
      );
    }),
    { numRuns: sampleCount(100) },
  );
});

function libraryDays(text: string, start: Temporal.PlainDate, end: Temporal.PlainDate): string[] {
  const rule = new RRuleTemporal({
    rruleString: text,
    dtstart: start.toZonedDateTime("UTC"),
    temporal: Temporal,
  });
  return rule
    .between(start.toZonedDateTime("UTC"), end.toZonedDateTime("UTC"), true)
    .map((moment) => moment.toPlainDate().toString());
}

it("X1 has no 53rd weekday in a year with 52 of them", () => {
  expect(firstDays("FREQ=YEARLY;BYDAY=-1SA,-53WE", 3)).toEqual([
    "2031-12-27",
    "2032-12-25",
    "2033-12-31",
  ]);
});

it("RT13 soon ends the search for the dates of a rule that has none", () => {
  for (const text of [
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=30",
    "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=300",
  ]) {
    const before = process.cpuUsage();
    expect(firstDays(text, 1)).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000, `milliseconds for ${text}`).toBeLessThan(2_000);
  }
});

it("X1 finds dates that are decades apart", () => {
  expect(firstDays("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", 4)).toEqual([
    "2044-02-29",
    "2072-02-29",
    "2112-02-29",
    "2140-02-29",
  ]);
});

function firstDays(text: string, count: number): string[] {
  const rule = parseRule(text) ?? expect.unreachable(text);
  const found: string[] = [];
  for (const day of daysOf(rule, first)) if (found.push(day.toString()) === count) break;
  return found;
}
