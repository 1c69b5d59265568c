import { z } from "zod";
import { jsonSchema } from "./json.ts";

/**
 * The states of an action that another program carries out. `pending`: no program has taken it.
 * `taken`: a program has the secret and may be at work. `expired`: no result came in time.
 * `canceled`: the run ended before one came.
 */
export const clientActionStates = ["pending", "taken", "finished", "expired", "canceled"] as const;
export type ClientActionState = (typeof clientActionStates)[number];

/**
 * What it means that a program took an action and sent no result in time: it was not done, or it
 * may have been.
 */
export const expiryMeanings = ["failed", "unknown"] as const;
export type ExpiryMeaning = (typeof expiryMeanings)[number];

/** The largest result that a program may send, as JSON. */
export const maxClientResultBytes = 200_000;

export const clientActionViewSchema = z.object({
  /** The ID of the action. */
  id: z.uuid(),
  runId: z.uuid(),
  tool: z.string(),
  /** The program that is to carry it out, such as `page`. */
  program: z.string(),
  /** What to do: the arguments of the call, or the approved form of an effect. */
  input: jsonSchema,
  state: z.enum(clientActionStates),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  takenAt: z.iso.datetime().nullable(),
  /** When it was finished, expired or canceled. */
  endedAt: z.iso.datetime().nullable(),
});
export type ClientActionView = Readonly<z.infer<typeof clientActionViewSchema>>;
