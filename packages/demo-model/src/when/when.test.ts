import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { detectLanguage } from "../mail/language.ts";
import { createScratch } from "../mail/scratch.ts";
import { resolveDays } from "./day-wish.ts";
import { takeDayPart } from "./take-day-part.ts";
import { takeDays } from "./take-days.ts";
import { takeHours, takeLength } from "./take-hours.ts";

/** A Sunday. */
const today = Temporal.PlainDate.from("2026-11-15");

function read(words: string) {
  const scratch = createScratch(words);
  const part = takeDayPart(scratch);
  const length = takeLength(scratch);
  const wish = takeDays(scratch, words.includes("hier") ? "fr" : detectLanguage(words));
  const hours = takeHours(scratch);
  const span = wish && resolveDays(wish, today);
  return {
    days: span === undefined ? "" : `${span.from.toString()}/${span.to.toString()}`,
    part: part?.hours.start,
    length,
    hours,
  };
}

test.each([
  ["tomorrow", "2026-11-16/2026-11-16"],
  ["morgen", "2026-11-16/2026-11-16"],
  ["après-demain", "2026-11-17/2026-11-17"],
  ["übermorgen", "2026-11-17/2026-11-17"],
  ["hier", "2026-11-14/2026-11-14"],
  ["on Monday", "2026-11-16/2026-11-16"],
  ["next Sunday", "2026-11-22/2026-11-22"],
  ["this Sunday", "2026-11-15/2026-11-15"],
  ["last Friday", "2026-11-13/2026-11-13"],
  ["vendredi dernier", "2026-11-13/2026-11-13"],
  ["Tuesday next week", "2026-11-17/2026-11-17"],
  ["next week Tuesday", "2026-11-17/2026-11-17"],
  ["this week", "2026-11-09/2026-11-15"],
  ["nächste Woche", "2026-11-16/2026-11-22"],
  ["la semaine dernière", "2026-11-02/2026-11-08"],
  ["this weekend", "2026-11-14/2026-11-15"],
  ["next month", "2026-12-01/2026-12-31"],
  ["im Dezember", "2026-12-01/2026-12-31"],
  ["17 November", "2026-11-17/2026-11-17"],
  ["November 17th", "2026-11-17/2026-11-17"],
  ["Tuesday, 17 November 2026", "2026-11-17/2026-11-17"],
  ["am 17.11.", "2026-11-17/2026-11-17"],
  ["am 17.", "2026-11-17/2026-11-17"],
  ["le 1er décembre", "2026-12-01/2026-12-01"],
  ["the 20th", "2026-11-20/2026-11-20"],
  ["3 November", "2026-11-03/2026-11-03"],
  ["5 January", "2027-01-05/2027-01-05"],
  ["2026-11-17", "2026-11-17/2026-11-17"],
  ["31 February", ""],
  ["since Monday", "2026-11-09/2026-11-15"],
  ["seit gestern", "2026-11-14/2026-11-15"],
  ["depuis lundi", "2026-11-09/2026-11-15"],
  ["the last 7 days", "2026-11-08/2026-11-15"],
  ["in den letzten zwei Wochen", "2026-11-01/2026-11-15"],
  ["des 7 derniers jours", "2026-11-08/2026-11-15"],
  ["the next 3 days", "2026-11-15/2026-11-18"],
  ["in two weeks", "2026-11-29/2026-11-29"],
  ["from Monday to Wednesday", "2026-11-16/2026-11-18"],
  ["vom 17.11. bis 19.11.", "2026-11-17/2026-11-19"],
  ["between Friday and Monday", "2026-11-20/2026-11-23"],
])("%s are the days %s", (words, days) => {
  expect(read(words).days).toBe(days);
});

test.each([
  ["at 10:00", { start: 600 }],
  ["10am", { start: 600 }],
  ["12 am", { start: 0 }],
  ["at 3 pm", { start: 900 }],
  ["at 3", { start: 900 }],
  ["at 9", { start: 540 }],
  ["um 15 Uhr", { start: 900 }],
  ["um 15 Uhr 30", { start: 930 }],
  ["um 9.30 Uhr", { start: 570 }],
  ["halb 10", { start: 570 }],
  ["half past 9", { start: 570 }],
  ["à 15h30", { start: 930 }],
  ["à 15 heures", { start: 900 }],
  ["at noon", { start: 720 }],
  ["from 2 to 3 pm", { start: 840, end: 900 }],
  ["von 10 bis 11 Uhr", { start: 600, end: 660 }],
  ["de 10h à 11h30", { start: 600, end: 690 }],
  ["10:00-11:00", { start: 600, end: 660 }],
  ["between 9 and 12", { start: 540, end: 720 }],
  ["my 1:1", undefined],
  ["25:00", undefined],
])("%s is a time", (words, hours) => {
  expect(read(words).hours).toEqual(hours);
});

test.each([
  ["for an hour", 60],
  ["a 30 minute call", 30],
  ["30-minütig", 30],
  ["zweistündig", 120],
  ["half an hour", 30],
  ["eine halbe Stunde", 30],
  ["une demi-heure", 30],
  ["anderthalb Stunden", 90],
  ["une heure et demie", 90],
  ["1.5 hours", 90],
  ["for two hours", 120],
  ["pendant 1h30", 90],
  ["à 15h30", undefined],
  ["à 15 heures", undefined],
  ["all day", 1_440],
])("%s is a length", (words, length) => {
  expect(read(words).length).toBe(length);
});

test.each([
  ["Donnerstag Nachmittag", 720, "2026-11-19/2026-11-19"],
  ["heute Morgen", 480, "2026-11-15/2026-11-15"],
  ["morgen früh", 480, "2026-11-16/2026-11-16"],
  ["demain matin", 480, "2026-11-16/2026-11-16"],
  ["Friday evening", 1_080, "2026-11-20/2026-11-20"],
])("%s is a part of a day", (words, part, days) => {
  expect(read(words)).toMatchObject({ part, days });
});

const anyDay = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => Temporal.PlainDate.from("2000-01-01").add({ days }));

test("resolves a weekday to that day within a week", () => {
  fc.assert(
    fc.property(
      anyDay,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom("coming" as const, "this" as const, "past" as const),
      (day, weekday, which) => {
        const found = resolveDays({ kind: "weekday", weekday, which }, day)?.from;
        const away = found === undefined ? 99 : day.until(found).days;
        return (
          found?.dayOfWeek === weekday &&
          (which === "past"
            ? away <= 0 && away > -7
            : which === "this"
              ? away >= 0 && away < 7
              : away > 0 && away <= 7)
        );
      },
    ),
  );
});

test("resolves weeks and months to full spans", () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -60, max: 60 }), (day, ahead) => {
      const [week, month, weekend] = [
        resolveDays({ kind: "week", ahead }, day),
        resolveDays({ kind: "month", ahead }, day),
        resolveDays({ kind: "weekend", ahead }, day),
      ];
      return (
        week?.from.dayOfWeek === 1 &&
        week.to.dayOfWeek === 7 &&
        week.from.until(week.to).days === 6 &&
        month?.from.day === 1 &&
        month.to.day === month.to.daysInMonth &&
        weekend?.from.dayOfWeek === 6 &&
        weekend.to.dayOfWeek === 7
      );
    }),
  );
});

test("resolves a date without a year to within a year, and to the future if required", () => {
  fc.assert(
    fc.property(
      anyDay,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
      (from, month, day) => {
        const next = resolveDays({ kind: "date", day, month }, from, "next")?.from;
        const near = resolveDays({ kind: "date", day, month }, from)?.from;
        return (
          next !== undefined &&
          near !== undefined &&
          from.until(next).days >= 0 &&
          from.until(next).days <= 366 &&
          Math.abs(from.until(near).days) <= 184
        );
      },
    ),
  );
});
