import type { AnswerSchema } from "./question.ts";

const formatWords = {
  email: "an email address",
  uri: "a web address that starts with https:// or http://",
  date: "a date such as 2026-11-16",
} as const;

/** What the owner should type, for example "a whole number from 1 to 10". */
export function expectedAnswer(schema: AnswerSchema): string {
  if (schema.type !== "string") {
    const noun = schema.type === "integer" ? "a whole number" : "a number";
    return `${noun}${rangeWords(schema.minimum, schema.maximum)}`;
  }
  const { format, minLength, maxLength } = schema;
  if (format) return formatWords[format];
  if (minLength === undefined && maxLength === undefined) return "some text";
  return `text of ${lengthWords(minLength, maxLength)} characters`;
}

function lengthWords(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return minimum === undefined ? `at most ${maximum}` : `at least ${minimum}`;
}

function rangeWords(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, ${minimum} or more`;
  return maximum === undefined ? "" : `, ${maximum} or less`;
}
