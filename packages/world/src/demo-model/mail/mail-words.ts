import type { FoundField } from "../reading/find-labelled.ts";
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

/** One field a line, in the language of the task. */
export function listFields(
  fields: readonly FoundField[],
  { fieldNames, colon }: MailWords,
): string {
  return fields.map(({ key, value }) => `- ${fieldNames[key] ?? key}${colon} ${value}`).join("\n");
}
