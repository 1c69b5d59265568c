import type { Language, Person } from "./company.ts";
import { formatDay } from "./bill-words.ts";

/** Appends the quoted message, formatted for the writer's language. */
export function withQuote(
  text: string,
  answered: { readonly from: Person; readonly date: Date; readonly text: string },
  language: Language,
): string {
  const who = `${answered.from.name} <${answered.from.address}>`;
  const day = formatDay(answered.date, language);
  const introductions: Readonly<Record<Language, string>> = {
    en: `On ${day}, ${who} wrote:`,
    de: `Am ${day} schrieb ${who}:`,
    fr: `Le ${day}, ${who} a écrit :`,
    pl: `${day} ${who} napisał(a):`,
  };
  const quoted = answered.text
    .split("\n")
    .map((line) => (line.startsWith(">") ? `>${line}` : `> ${line}`));
  return `${text}\n\n${introductions[language]}\n${quoted.join("\n")}`;
}

export const replyMarks: Readonly<Record<Language, string>> = {
  en: "Re",
  de: "AW",
  fr: "RE",
  pl: "Odp",
};
