/**
 * Names of days and months in English, German and French, folded. The lists start with Monday and
 * January.
 */
const weekdays = [
  "monday|montags?|lundi",
  "tuesday|tues?|dienstags?|mardi",
  "wednesday|wed|mittwochs?|mercredi",
  "thursday|thurs?|donnerstags?|jeudi",
  "friday|fri|freitags?|vendredi",
  "saturday|samstags?|sonnabends?|samedi",
  "sunday|sonntags?|dimanche",
];
const months = [
  "january|jan|januar|janner|janvier",
  "february|feb|februar|fevrier",
  "march|mar|marz|mars",
  "april|apr|avril",
  "may|mai",
  "june|jun|juni|juin",
  "july|jul|juli|juillet",
  "august|aug|aout",
  "september|sept?|septembre",
  "october|oct|okt|oktober|octobre",
  "november|nov|novembre",
  "december|dec|dez|dezember|decembre",
];
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  ten: 10,
  fourteen: 14,
  thirty: 30,
  couple: 2,
  few: 3,
  ein: 1,
  eine: 1,
  einer: 1,
  einem: 1,
  zwei: 2,
  drei: 3,
  vier: 4,
  funf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  zehn: 10,
  vierzehn: 14,
  dreisig: 30,
  un: 1,
  une: 1,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  sept: 7,
  huit: 8,
  dix: 10,
  quinze: 15,
  trente: 30,
};

export const weekdayPattern = `(?:${weekdays.join("|")})(?![a-z])`;
export const monthPattern = `(?:${months.join("|")})(?![a-z])\\.?`;
export const numberPattern = `(?:\\d{1,3}|${Object.keys(numbers).join("|")})`;

/** Monday is 1. */
export function weekdayNumber(name: string): number {
  return indexIn(weekdays, name);
}

export function monthNumber(name: string): number {
  return indexIn(months, name.replace(/\.$/, ""));
}

export function numberOf(word: string): number {
  return numbers[word] ?? Number(word);
}

function indexIn(names: readonly string[], name: string): number {
  return names.findIndex((pattern) => new RegExp(`^(?:${pattern})$`).test(name)) + 1;
}
