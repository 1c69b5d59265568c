import {
  askedForSchema,
  askedForWords,
  describeAskedFor,
  type AskedForWords,
} from "./ask-kinds.ts";
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

/** Why a new summary of the memory does not replace the one before. */
const summaryProblems = ["empty", "too_long", "too_short", "failed"] as const;
export type SummaryProblem = (typeof summaryProblems)[number];

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
 * - `summary_kept`: the summary of the memory stays as it was.
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
  z.object({ ...line, kind: z.literal("summary_kept"), why: z.enum(summaryProblems) }),
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

/** The sentences of a log. A delay is words already, such as "2 s". */
export interface LogSentences {
  readonly truncated: string;
  modelRetry(failure: string, delay: string): string;
  modelUnavailable(wanted: string, model: string): string;
  modelRemoved(wanted: string, model: string): string;
  readonly filesNotShown: string;
  readonly askedForNothing: string;
  askedFor(asks: readonly string[]): string;
  readonly wordsNotRead: string;
  effectUnclear(tool: string, failure: string): string;
  /** Without a failure, a check found that it was not done. */
  effectRetry(tool: string, failure: string): string;
  effectInterrupted(tool: string, delay: string): string;
  outage(reason: string): string;
  waiting(delay: string): string;
  readonly summaryKept: Readonly<Record<SummaryProblem, string>>;
}

export const logSentences: LogSentences = {
  truncated: "The answer hit the length limit and may be incomplete.",
  modelRetry: (failure, delay) => `${failure} Trying again in ${delay}.`,
  modelUnavailable: (wanted, model) => `${wanted} is not responding. Using ${model} instead.`,
  modelRemoved: (wanted, model) => `${wanted} is no longer configured. Using ${model} instead.`,
  filesNotShown: "The model could not look at the attached files. Continuing without showing them.",
  askedForNothing: "You didn't ask for any changes, so Bron asks before it makes one.",
  askedFor: (asks) =>
    `You asked for ${asks.join(", and ")}. Bron asks before it changes anything else.`,
  wordsNotRead:
    "Bron couldn't compare its changes with your words, so it asks before each of them.",
  effectUnclear: (tool, failure) => `${tool}: ${failure} Checking whether it went through.`,
  effectRetry: (tool, failure) => `${tool}: ${failure || "It was not done."} Trying again.`,
  effectInterrupted: (tool, delay) =>
    `${tool} was interrupted. Bron will check in ${delay} whether it happened.`,
  outage: (reason) => `${reason} Bron keeps trying.`,
  waiting: (delay) => `Continues in ${delay}.`,
  summaryKept: {
    empty: "The new summary was empty, so the old one stays.",
    too_long: "The new summary was too long, so the old one stays.",
    too_short: "The new summary had lost most of the old one, so the old one stays.",
    failed: "The summary could not be renewed, so the old one stays.",
  },
};

interface LogTables {
  readonly failures: FailureWords;
  readonly actionFailures: ActionFailureWords;
  readonly outages: Readonly<Record<OutageCode, string>>;
  readonly askedFor: AskedForWords;
  readonly log: LogSentences;
}

const englishTables: LogTables = {
  failures: failureWords,
  actionFailures: actionFailureWords,
  outages: outageWords,
  askedFor: askedForWords,
  log: logSentences,
};

/** The words of a log, in which each reader names tools and times in its own way. */
export function createLogWords(
  { tool: nameOf, delay, reused }: LogNames,
  { failures, actionFailures, outages, askedFor, log }: LogTables = englishTables,
): LogWords {
  return {
    progress: ({ message }) => message,
    message_truncated: () => log.truncated,
    reused,
    model_retry: ({ error, delayMs: ms }) =>
      log.modelRetry(describeFailure(error, failures), delay(ms)),
    model_replaced: ({ wanted, model, why }) =>
      why === "unavailable" ? log.modelUnavailable(wanted, model) : log.modelRemoved(wanted, model),
    files_not_shown: () => log.filesNotShown,
    asked_for: ({ asks }) =>
      asks.length === 0
        ? log.askedForNothing
        : log.askedFor(asks.map((ask) => describeAskedFor(ask, askedFor))),
    words_not_read: () => log.wordsNotRead,
    effect_unclear: ({ tool, ...failure }) =>
      log.effectUnclear(nameOf(tool), describeActionFailure(failure, actionFailures)),
    effect_retry: ({ tool, ...failure }) =>
      log.effectRetry(nameOf(tool), describeActionFailure(failure, actionFailures)),
    effect_interrupted: ({ tool, delayMs: ms }) => log.effectInterrupted(nameOf(tool), delay(ms)),
    outage: ({ code, message = "" }) => log.outage(code ? outages[code] : message),
    waiting: ({ delayMs: ms }) => log.waiting(delay(ms)),
    summary_kept: ({ why }) => log.summaryKept[why],
  };
}

/** The text of a line. Lines without a kind are text already. */
export function describeLogLine(logLine: LogLine, words: LogWords): string {
  if (!("kind" in logLine)) return logLine.message;
  return (words[logLine.kind] as (line: LogLine) => string)(logLine);
}
