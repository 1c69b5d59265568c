import { z } from "zod";

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** Any JSON value. Its content is not validated here. */
export const jsonSchema = z.unknown() as unknown as z.ZodType<JsonValue>;
export const jsonObjectSchema = z.record(
  z.string(),
  z.unknown(),
) as unknown as z.ZodType<JsonObject>;
