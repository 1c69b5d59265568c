import fc from "fast-check";
import { expect, test } from "vitest";
import { createText } from "../recipe/text.ts";
import { dayOf, plusDays, takeDays } from "./days.ts";
import { takeHours, takeLength, takeTimeOfDay } from "./hours.ts";
import { today } from "./conversation.fixture.ts";

function read(words: string, day = today) {
  const text = createText(words);
  const timeOfDay = takeTimeOfDay(text)?.start;
  const span = takeDays(text, day);
  const length = takeLength(text);
  return {
    days: span === undefined || span.problem ? "" : `${span.from}/${span.to}`,
    timeOfDay,
    length,
    hours: takeHours(text),
  };
}

test.each([
  ["tomorrow", "2026-11-16/2026-11-16"],
  ["the day after tomorrow", "2026-11-17/2026-11-17"],
  ["yesterday", "2026-11-14/2026-11-14"],
  ["on Monday", "2026-11-16/2026-11-16"],
  ["next Sunday", "2026-11-22/2026-11-22"],
  ["this Sunday", "2026-11-15/2026-11-15"],
  ["last Friday", "2026-11-13/2026-11-13"],
  ["this week", "2026-11-09/2026-11-15"],
  ["next week", "2026-11-16/2026-11-22"],
  ["last week", "2026-11-02/2026-11-08"],
  ["this weekend", "2026-11-14/2026-11-15"],
  ["next month", "2026-12-01/2026-12-31"],
  ["17 November", "2026-11-17/2026-11-17"],
  ["November 17th", "2026-11-17/2026-11-17"],
  ["Tuesday, 17 November 2026", "2026-11-17/2026-11-17"],
  ["3 November", "2026-11-03/2026-11-03"],
  ["5 January", "2027-01-05/2027-01-05"],
  ["2026-11-17", "2026-11-17/2026-11-17"],
  ["31 February", ""],
  ["since Monday", "2026-11-09/2026-11-15"],
  ["since yesterday", "2026-11-14/2026-11-15"],
  ["the last 7 days", "2026-11-08/2026-11-15"],
  ["in the last two weeks", "2026-11-01/2026-11-15"],
  ["the next 3 days", "2026-11-15/2026-11-18"],
  ["in two weeks", "2026-11-29/2026-11-29"],
  ["from Monday to Wednesday", "2026-11-16/2026-11-18"],
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
  ["half past 9", { start: 570 }],
  ["at noon", { start: 720 }],
  ["from 2 to 3 pm", { start: 840, end: 900 }],
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
  ["half an hour", 30],
  ["1.5 hours", 90],
  ["for two hours", 120],
  ["all day", 1_440],
])("%s is a length", (words, length) => {
  expect(read(words).length).toBe(length);
});

test.each([
  ["Thursday afternoon", 720, "2026-11-19/2026-11-19"],
  ["tomorrow morning", 480, "2026-11-16/2026-11-16"],
  ["Friday evening", 1_080, "2026-11-20/2026-11-20"],
])("%s is a time of day", (words, timeOfDay, days) => {
  expect(read(words)).toMatchObject({ timeOfDay, days });
});

const anyDay = fc.integer({ min: 0, max: 20_000 }).map((days) => plusDays("2000-01-01", days));
const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();
const spanOf = (words: string, day: string) => read(words, day).days.split("/") as [string, string];

test("resolves a weekday to that day within a week", () => {
  const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  fc.assert(
    fc.property(
      anyDay,
      fc.integer({ min: 0, max: 6 }),
      fc.constantFrom("next", "this", "last"),
      (day, number, which) => {
        const [found] = spanOf(`${which} ${names[number]}`, day);
        const away = daysBetween(day, found);
        return (
          weekday(found) === number &&
          (which === "last"
            ? away < 0 && away >= -7
            : which === "this"
              ? away >= 0 && away < 7
              : away > 0 && away <= 7)
        );
      },
    ),
  );
});

test("resolves weeks, weekends and months to full spans", () => {
  fc.assert(
    fc.property(anyDay, fc.constantFrom("next", "this", "last"), (day, which) => {
      const week = spanOf(`${which} week`, day);
      const weekend = spanOf(`${which} weekend`, day);
      const month = spanOf(`${which} month`, day);
      return (
        weekday(week[0]) === 1 &&
        daysBetween(...week) === 6 &&
        weekday(weekend[0]) === 6 &&
        daysBetween(...weekend) === 1 &&
        month[0].endsWith("-01") &&
        plusDays(month[1], 1).endsWith("-01") &&
        daysBetween(...month) <= 30
      );
    }),
  );
});

test("resolves a date without a year to the nearest one", () => {
  const months = ["January", "February", "March", "April", "May", "June", "July"];
  fc.assert(
    fc.property(
      anyDay,
      fc.constantFrom(...months),
      fc.integer({ min: 1, max: 28 }),
      (from, month, day) => {
        const [found] = spanOf(`${day} ${month}`, from);
        return dayOf(found) === found && Math.abs(daysBetween(from, found)) <= 184;
      },
    ),
  );
});
