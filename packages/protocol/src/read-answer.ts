import { z } from "zod";
import type { AnswerSchema } from "./question.ts";

const formats = {
  email: z.email(),
  uri: z.url({ protocol: /^https?$/ }),
  date: z.iso.date(),
} as const;

/** The value of an answer, or undefined if the text does not fit the schema. */
export function readAnswer(
  schema: AnswerSchema | null | undefined,
  text: string,
): string | number | undefined {
  if (!schema) return text;
  const trimmed = text.trim();
  if (schema.type === "string") {
    const { format, minLength = 0, maxLength = Infinity } = schema;
    const fits =
      trimmed.length >= minLength &&
      trimmed.length <= maxLength &&
      (!format || formats[format].safeParse(trimmed).success);
    return fits ? trimmed : undefined;
  }
  if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  const { type, minimum = -Infinity, maximum = Infinity } = schema;
  const fits =
    value >= minimum && value <= maximum && (type === "number" || Number.isInteger(value));
  return fits ? value : undefined;
}
