import type { FoundField } from "../reading/find-labeled.ts";
import { sayLongDay } from "../when/say-when.ts";
import { englishWords } from "./words/english.ts";
import { frenchWords } from "./words/french.ts";
import { germanWords } from "./words/german.ts";
import type { Language } from "./language.ts";
import type { MailWords } from "./words/mail-words-shape.ts";

const all: Readonly<Record<Language, MailWords>> = {
  en: englishWords,
  de: germanWords,
  fr: frenchWords,
};

export function wordsIn(language: Language): MailWords {
  return all[language];
}

/** One line per field, in the language of the task. ISO dates are written out. */
export function listFields(
  fields: readonly FoundField[],
  { fieldNames, colon, language }: MailWords,
): string {
  return fields
    .filter((field) => fields.length === 1 || !isBareCurrencySign(field))
    .map(({ key, value }) => `- ${fieldNames[key] ?? key}${colon} ${sayIsoDate(value, language)}`)
    .join("\n");
}

/** A row such as "Currency: £" says nothing that the amounts do not say already. */
function isBareCurrencySign({ key, value }: FoundField): boolean {
  return key === "Currency" && /^\p{Sc}$/u.test(value.trim());
}

function sayIsoDate(value: string, language: Language): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? sayLongDay(value, language) : value;
}
