import { z } from "zod";
import { failureSchema } from "./failure.ts";

const line = { level: z.enum(["info", "warn", "error"]), actionId: z.string().optional() };
const delayMs = z.number().int().nonnegative();

/**
 * Lines of a run's log for people. The kind and its values say what happened; readers make the
 * words.
 *
 * - `progress`: a tool reports how far it is, in its own words.
 * - `message_truncated`: the model reached the length limit.
 * - `reused`: an action got its result from the retried run. `isUnknown`: its outcome is unknown.
 * - `model_retry`: a model call failed and is repeated.
 * - `effect_unclear`: an attempt ended without a clear result, so it is checked.
 * - `effect_retry`: an attempt changed nothing and is repeated. Without a message, a check found
 *   that it was not done.
 * - `effect_interrupted`: a worker was lost during an attempt, which is checked after the delay.
 * - `outage`: Bron's storage is away, and the action waits for it. The message is the error's.
 * - `waiting`: the run continues after the delay.
 */
const kinds = [
  z.object({ ...line, kind: z.literal("progress"), message: z.string() }),
  z.object({ ...line, kind: z.literal("message_truncated") }),
  z.object({
    ...line,
    kind: z.literal("reused"),
    tool: z.string(),
    runId: z.string(),
    isUnknown: z.boolean(),
  }),
  z.object({ ...line, kind: z.literal("model_retry"), error: failureSchema, delayMs }),
  z.object({ ...line, kind: z.literal("effect_unclear"), tool: z.string(), message: z.string() }),
  z.object({
    ...line,
    kind: z.literal("effect_retry"),
    tool: z.string(),
    message: z.string().optional(),
  }),
  z.object({ ...line, kind: z.literal("effect_interrupted"), tool: z.string(), delayMs }),
  z.object({ ...line, kind: z.literal("outage"), message: z.string() }),
  z.object({ ...line, kind: z.literal("waiting"), delayMs }),
] as const;

/** The last form is that of logs before version 6: a sentence without a kind. */
export const logLineSchema = z.union([...kinds, z.object({ ...line, message: z.string() })]);

export type LogLine = z.infer<typeof logLineSchema>;
type LogKind = z.infer<(typeof kinds)[number]>["kind"];

/** The words for every kind of line, which each reader writes. */
export type LogWords = {
  readonly [K in LogKind]: (line: Extract<LogLine, { kind: K }>) => string;
};

/** The text of a line. Lines without a kind are text already. */
export function describeLogLine(logLine: LogLine, words: LogWords): string {
  if (!("kind" in logLine)) return logLine.message;
  return (words[logLine.kind] as (line: LogLine) => string)(logLine);
}
