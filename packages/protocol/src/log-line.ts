import { askedForSchema, describeAskedFor } from "./ask-kinds.ts";
import { z } from "zod";
import {
  actionFailureReasonSchema,
  actionFailureWords,
  describeActionFailure,
  type ActionFailureWords,
} from "./action-failure.ts";
import type { ErrorCode } from "./errors.ts";
import { describeFailure, failureSchema, failureWords, type FailureWords } from "./failure.ts";

const line = { level: z.enum(["info", "warn", "error"]), actionId: z.string().optional() };
/** Why an attempt has no result: a reason, or the message of a tool. */
const attemptFailure = {
  why: actionFailureReasonSchema.optional(),
  message: z.string().optional(),
};
const delayMs = z.number().int().nonnegative();

/** Why a call uses another model than the one that was wanted. */
const replacedModelReasons = ["not_configured", "unavailable"] as const;

/** The errors that say that Bron's own storage is away. */
export const outageCodes = [
  "database_unreachable",
  "database_busy",
  "storage_unreachable",
  "disk_full",
] as const satisfies readonly ErrorCode[];
export type OutageCode = (typeof outageCodes)[number];

/** The sentences of the terminal and the web app. */
export const outageWords: Readonly<Record<OutageCode, string>> = {
  database_unreachable: "The database is not responding.",
  database_busy: "The database is busy.",
  storage_unreachable: "The file storage is not responding.",
  disk_full: "The disk is full.",
};

/**
 * Lines of a run's log for people. The kind and its values say what happened; readers make the
 * words.
 *
 * - `progress`: a tool reports how far it is, in its own words.
 * - `message_truncated`: the model reached the length limit.
 * - `reused`: an action got its result from the retried run. `isUnknown`: its outcome is unknown.
 * - `model_retry`: a model call failed and is repeated.
 * - `model_replaced`: another model is used than the one that was wanted, which is unavailable or no
 *   longer configured.
 * - `files_not_shown`: the model refused the content of attached files, so it gets only their names.
 * - `asked_for`: what the owner's words ask for, in logs of version 7. Later ones have `intent` events.
 * - `words_not_read`: no model could read the owner's words, in logs of version 7.
 * - `effect_unclear`: an attempt ended without a clear result, so it is checked.
 * - `effect_retry`: an attempt changed nothing and is repeated. Without a reason and a message, a
 *   check found that it was not done.
 * - `effect_interrupted`: a worker was lost during an attempt, which is checked after the delay.
 * - `outage`: Bron's storage is away, and the action waits for it. A message in place of a code is
 *   from a log that is older than these codes.
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
  z.object({
    ...line,
    kind: z.literal("model_replaced"),
    wanted: z.string(),
    model: z.string(),
    why: z.enum(replacedModelReasons),
  }),
  z.object({ ...line, kind: z.literal("files_not_shown") }),
  z.object({ ...line, kind: z.literal("asked_for"), asks: z.array(askedForSchema).readonly() }),
  z.object({ ...line, kind: z.literal("words_not_read") }),
  z.object({ ...line, kind: z.literal("effect_unclear"), tool: z.string(), ...attemptFailure }),
  z.object({ ...line, kind: z.literal("effect_retry"), tool: z.string(), ...attemptFailure }),
  z.object({ ...line, kind: z.literal("effect_interrupted"), tool: z.string(), delayMs }),
  z.object({
    ...line,
    kind: z.literal("outage"),
    code: z.enum(outageCodes).optional(),
    message: z.string().optional(),
  }),
  z.object({ ...line, kind: z.literal("waiting"), delayMs }),
] as const;

/** The last form is that of logs before version 6: a sentence without a kind. */
export const logLineSchema = z.union([...kinds, z.object({ ...line, message: z.string() })]);

export type LogLine = z.infer<typeof logLineSchema>;
type LogKind = z.infer<(typeof kinds)[number]>["kind"];

/** The words for every kind of line, which each reader writes. */
type LogWords = {
  readonly [K in LogKind]: (line: Extract<LogLine, { kind: K }>) => string;
};

/** How a reader names things in the sentences of a log. */
interface LogNames {
  readonly tool: (name: string) => string;
  /** The delay until something happens, such as "2 s". */
  readonly delay: (ms: number) => string;
  readonly reused: LogWords["reused"];
}

interface LogTables {
  readonly failures: FailureWords;
  readonly actionFailures: ActionFailureWords;
  readonly outages: Readonly<Record<OutageCode, string>>;
}

const englishTables: LogTables = {
  failures: failureWords,
  actionFailures: actionFailureWords,
  outages: outageWords,
};

/** The sentences of the terminal and the web app, which name tools and times in their own way. */
export function createLogWords(
  { tool: nameOf, delay, reused }: LogNames,
  { failures, actionFailures, outages }: LogTables = englishTables,
): LogWords {
  return {
    progress: ({ message }) => message,
    message_truncated: () => "The answer hit the length limit and may be incomplete.",
    reused,
    model_retry: ({ error, delayMs: ms }) =>
      `${describeFailure(error, failures)} Trying again in ${delay(ms)}.`,
    model_replaced: ({ wanted, model, why }) =>
      why === "unavailable"
        ? `${wanted} is not responding. Using ${model} instead.`
        : `${wanted} is no longer configured. Using ${model} instead.`,
    files_not_shown: () =>
      "The model could not look at the attached files. Continuing without showing them.",
    asked_for: ({ asks }) =>
      asks.length === 0
        ? "You didn't ask for any changes, so Bron asks before it makes one."
        : `You asked for ${asks.map((ask) => describeAskedFor(ask)).join(", and ")}. Bron asks before it changes anything else.`,
    words_not_read: () =>
      "Bron couldn't compare its changes with your words, so it asks before each of them.",
    effect_unclear: ({ tool, ...failure }) =>
      `${nameOf(tool)}: ${describeActionFailure(failure, actionFailures)} Checking whether it went through.`,
    effect_retry: ({ tool, ...failure }) =>
      `${nameOf(tool)}: ${describeActionFailure(failure, actionFailures) || "It was not done."} Trying again.`,
    effect_interrupted: ({ tool, delayMs: ms }) =>
      `${nameOf(tool)} was interrupted. Bron will check in ${delay(ms)} whether it happened.`,
    outage: ({ code, message = "" }) => `${code ? outages[code] : message} Bron keeps trying.`,
    waiting: ({ delayMs: ms }) => `Continues in ${delay(ms)}.`,
  };
}

/** The text of a line. Lines without a kind are text already. */
export function describeLogLine(logLine: LogLine, words: LogWords): string {
  if (!("kind" in logLine)) return logLine.message;
  return (words[logLine.kind] as (line: LogLine) => string)(logLine);
}
