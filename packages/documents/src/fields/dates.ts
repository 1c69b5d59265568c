const months: readonly string[] = [
  "january|jan|januar|jänner|janvier|janv|enero|ene|gennaio|gen|januari",
  "february|feb|februar|février|févr|febrero|febbraio|februari",
  "march|mar|märz|mrz|mär|mars|marzo|maart|mrt",
  "april|apr|avril|avr|abril|abr|aprile",
  "may|mai|mayo|maggio|mag|mei",
  "june|jun|juni|juin|junio|giugno|giu",
  "july|jul|juli|juillet|juil|julio|luglio|lug",
  "august|aug|août|agosto|ago|augustus",
  "september|sept|sep|septembre|septiembre|settembre|set",
  "october|oct|oktober|okt|octobre|octubre|ottobre|ott",
  "november|nov|novembre|noviembre",
  "december|dec|dezember|dez|décembre|déc|diciembre|dic|dicembre",
];
const numberOfMonth: ReadonlyMap<string, number> = new Map(
  months.flatMap((names, index) =>
    names.split("|").map((name): [string, number] => [name, index + 1]),
  ),
);
const monthName = `(${[...numberOfMonth.keys()].sort((a, b) => b.length - a.length).join("|")})\\.?`;

interface DateFormat {
  readonly pattern: string;
  /** All possible orders of the three parts, as year, month, day. */
  readonly read: (
    first: string,
    second: string,
    third: string,
  ) => readonly (readonly [string, string, string])[];
}

const dateFormats: readonly DateFormat[] = [
  {
    pattern: "(\\d{4})[-./](\\d{1,2})[-./](\\d{1,2})",
    read: (year, month, day) => [[year, month, day]],
  },
  {
    pattern: "(\\d{1,2})[-./] ?(\\d{1,2})[-./] ?(\\d{4}|\\d{2})",
    read: (first, second, year) => [
      [year, second, first],
      [year, first, second],
    ],
  },
  {
    pattern: `(\\d{1,2})(?:st|nd|rd|th|\\.)?[ -](?:of |de )?${monthName},?(?:[ -]| de )(\\d{4})`,
    read: (day, month, year) => [[year, month, day]],
  },
  {
    pattern: `${monthName} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})`,
    read: (month, day, year) => [[year, month, day]],
  },
];

const inText = dateFormats.map(({ pattern, read }) => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}]|\\d[-./])${pattern}(?![\\p{L}\\p{N}]|[-./]\\d)`, "gu"),
  read,
}));
const anchored = dateFormats.map(({ pattern, read }) => ({
  pattern: new RegExp(`^${pattern}$`, "u"),
  read,
}));

/** All days that dates in a folded text may mean, as YYYY-MM-DD. */
export function datesIn(text: string): Set<string> {
  const days = inText.flatMap(({ pattern, read }) =>
    [...text.matchAll(pattern)].flatMap(([, one = "", two = "", three = ""]) =>
      daysOf(read(one, two, three)),
    ),
  );
  return new Set(days);
}

/** The days that a value may mean, if it consists of nothing but a date. */
export function asDates(value: string): string[] {
  return anchored.flatMap(({ pattern, read }) => {
    const [, one = "", two = "", three = ""] = pattern.exec(value) ?? [];
    return one === "" ? [] : daysOf(read(one, two, three));
  });
}

function daysOf(readings: readonly (readonly [string, string, string])[]): string[] {
  return readings.flatMap(([year, month, day]) => {
    const monthNumber = numberOfMonth.get(month) ?? Number(month);
    const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
    const isDay =
      monthNumber >= 1 &&
      monthNumber <= 12 &&
      Number(day) >= 1 &&
      Number(day) <= new Date(Date.UTC(fullYear, monthNumber, 0)).getUTCDate();
    return isDay
      ? [`${fullYear}-${String(monthNumber).padStart(2, "0")}-${day.padStart(2, "0")}`]
      : [];
  });
}
