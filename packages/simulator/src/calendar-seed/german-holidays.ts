import { Temporal } from "temporal-polyfill";

interface Holiday {
  readonly name: string;
  readonly date: Temporal.PlainDate;
}

/** Holidays that apply in all of Germany. */
export function germanHolidays(year: number): readonly Holiday[] {
  const easter = easterSunday(year);
  const fixed = (name: string, month: number, day: number): Holiday => ({
    name,
    date: Temporal.PlainDate.from({ year, month, day }),
  });
  const moving = (name: string, days: number): Holiday => ({ name, date: easter.add({ days }) });
  return [
    fixed("Neujahr", 1, 1),
    moving("Karfreitag", -2),
    moving("Ostermontag", 1),
    fixed("Tag der Arbeit", 5, 1),
    moving("Christi Himmelfahrt", 39),
    moving("Pfingstmontag", 50),
    fixed("Tag der Deutschen Einheit", 10, 3),
    fixed("Erster Weihnachtstag", 12, 25),
    fixed("Zweiter Weihnachtstag", 12, 26),
  ];
}

/** Easter by Gauss's algorithm in Lichtenberg's form. */
function easterSunday(year: number): Temporal.PlainDate {
  const century = Math.floor(year / 100);
  const moonShift = 15 + Math.floor((3 * century + 3) / 4) - Math.floor((8 * century + 13) / 25);
  const sunShift = 2 - Math.floor((3 * century + 3) / 4);
  const lunar = year % 19;
  const germ = (19 * lunar + moonShift) % 30;
  const correction = Math.floor((germ + Math.floor(lunar / 11)) / 29);
  const border = 21 + germ - correction;
  const firstSunday = 7 - ((year + Math.floor(year / 4) + sunShift) % 7);
  const distance = 7 - ((border - firstSunday) % 7);
  return Temporal.PlainDate.from({ year, month: 3, day: 1 }).add({ days: border + distance - 1 });
}
