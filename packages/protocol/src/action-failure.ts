import { z } from "zod";
import { documentFailureSchemas, documentFailureWords } from "./document-failure.ts";
import { errorCodes } from "./errors.ts";
import { serviceFailureSchemas, serviceFailureWords } from "./service-failure.ts";

/**
 * Why an action failed, or why its outcome is unclear, if Bron and not the tool says so. `detail`
 * is text of a tool or of a validator.
 *
 * - `tool_removed`: the run no longer has the tool.
 * - `tool_changed`: the tool is no longer defined as it was when the model called it.
 * - `form_missing`, `form_empty`, `form_not_json`, `form_too_large`: what the tool prepared cannot be
 *   proposed.
 * - `form_outdated`: another version of Bron prepared it.
 * - `not_as_approved`: the approval is for something else.
 * - `started_too_late`: its time limit passed before it started.
 * - `check_failed`, `check_timed_out`: Bron could not find out whether an unclear attempt went
 *   through.
 * - `client_absent`: no program took the action in time. `client_late`: one did, and sent no result.
 */
export const actionFailureReasonSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("tool_does_not_exist"), tool: z.string() }),
  z.object({ code: z.literal("tool_removed"), tool: z.string() }),
  z.object({ code: z.literal("tool_changed"), tool: z.string() }),
  z.object({ code: z.literal("arguments_invalid"), tool: z.string(), detail: z.string() }),
  z.object({ code: z.literal("timed_out"), seconds: z.number() }),
  z.object({ code: z.literal("canceled") }),
  z.object({ code: z.literal("crashed"), times: z.number().int() }),
  z.object({ code: z.literal("prepare_timed_out") }),
  z.object({ code: z.literal("prepare_canceled") }),
  z.object({ code: z.literal("form_missing") }),
  z.object({ code: z.literal("form_empty") }),
  z.object({ code: z.literal("form_not_json"), detail: z.string() }),
  z.object({ code: z.literal("form_too_large") }),
  z.object({ code: z.literal("form_outdated") }),
  z.object({ code: z.literal("cannot_be_edited") }),
  /** The model may first leave these links and values out of the text. */
  z.object({ code: z.literal("not_mentioned"), values: z.array(z.string()).readonly() }),
  z.object({ code: z.literal("rules_not_checked"), detail: z.string() }),
  z.object({ code: z.literal("approval_missing") }),
  z.object({ code: z.literal("approval_not_checked") }),
  z.object({ code: z.literal("not_as_approved") }),
  z.object({ code: z.literal("started_too_late") }),
  z.object({ code: z.literal("attempts_used"), attempts: z.number().int() }),
  z.object({ code: z.literal("check_failed"), detail: z.string() }),
  z.object({ code: z.literal("check_timed_out") }),
  z.object({ code: z.literal("client_absent"), program: z.string() }),
  z.object({ code: z.literal("client_late"), program: z.string() }),
  z.object({ code: z.literal("result_invalid"), program: z.string(), detail: z.string() }),
  z.object({ code: z.literal("child_run_nested") }),
  /** Only in logs from when a task with its own spending limit could not start subtasks. */
  z.object({ code: z.literal("child_run_budget") }),
  z.object({ code: z.literal("child_run_limit"), limit: z.number().int() }),
  z.object({ code: z.literal("child_run_missing"), runId: z.string() }),
  z.object({ code: z.literal("fallback_not_needed") }),
  z.object({ code: z.literal("fallback_used") }),
  ...serviceFailureSchemas,
  ...documentFailureSchemas,
]);
export type ActionFailureReason = Readonly<z.infer<typeof actionFailureReasonSchema>>;

/** The error of an action. `code` is for programs, `message` for the model, `why` for people. */
export const actionErrorSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  /** Absent if the message is a tool's, and in logs that are older than reasons. */
  why: actionFailureReasonSchema.optional(),
});
export type ActionError = Readonly<z.infer<typeof actionErrorSchema>>;

/** A sentence for each reason. */
export type ActionFailureWords = {
  readonly [K in ActionFailureReason["code"]]: (
    why: Extract<ActionFailureReason, { code: K }>,
  ) => string;
};

/** The sentences of the terminal and the web app. To translate them, pass another table. */
export const actionFailureWords: ActionFailureWords = {
  tool_does_not_exist: ({ tool }) => `There is no tool "${tool}".`,
  tool_removed: ({ tool }) => `The tool "${tool}" is no longer available. Nothing was done.`,
  tool_changed: ({ tool }) =>
    `The tool "${tool}" has changed since it was called. Nothing was done.`,
  arguments_invalid: ({ tool, detail }) => `Invalid arguments for ${tool}: ${detail}`,
  timed_out: ({ seconds }) => `It did not finish within ${seconds}s.`,
  canceled: () => "It was canceled while running.",
  crashed: ({ times }) => `The worker crashed ${times} times while this ran.`,
  prepare_timed_out: () => "It could not be prepared in time. Nothing was done.",
  prepare_canceled: () => "Canceled before it was prepared. Nothing was done.",
  form_missing: () =>
    "It could not be prepared: the tool did not say what it would do. Nothing was done.",
  form_empty: () => "It could not be prepared: there is nothing to do. Nothing was done.",
  form_not_json: ({ detail }) =>
    `It could not be prepared: it is not JSON (${detail}). Nothing was done.`,
  form_too_large: () => "It could not be prepared: it is too large. Nothing was done.",
  form_outdated: () =>
    "It was prepared by another version of Bron and cannot be done as it was shown. Nothing was done.",
  not_mentioned: ({ values }) =>
    `Contains ${values.join(", ")}, which you didn't mention. Nothing was done.`,
  cannot_be_edited: () => "This can't be edited.",
  rules_not_checked: ({ detail }) =>
    `Your rules could not be checked, so nothing was done. ${detail}`.trim(),
  approval_missing: () => "Not done: there is no approval.",
  approval_not_checked: () => "Not done: the approval could not be checked.",
  not_as_approved: () => "This is not what was approved. Nothing was done.",
  started_too_late: () => "The time limit passed before it started.",
  attempts_used: ({ attempts }) => `Not done after ${attempts} attempts.`,
  check_failed: ({ detail }) => `Bron tried to check: ${detail}`,
  check_timed_out: () => "Bron couldn't find out in time.",
  client_absent: ({ program }) => `No ${program} picked this up in time. Nothing was done.`,
  client_late: ({ program }) => `The ${program} sent no result in time.`,
  result_invalid: ({ program, detail }) => `The ${program} sent an invalid result: ${detail}`,
  child_run_nested: () => "This subtask is at the deepest level, so it can't start subtasks.",
  child_run_budget: () => "This task has its own spending limit, so it can't start subtasks.",
  child_run_limit: ({ limit }) => `A task can have at most ${limit} subtasks.`,
  child_run_missing: ({ runId }) => `${runId} is not a subtask of this task.`,
  fallback_not_needed: () => "No such subtask has failed.",
  fallback_used: () => "This subtask was already tried another way.",
  ...serviceFailureWords,
  ...documentFailureWords,
};

/** Why an action failed: a reason, or the message of a tool. */
export interface ActionFailure {
  readonly why?: ActionFailureReason | undefined;
  readonly message?: string | undefined;
}

/** The sentence for a failed action. */
export function describeActionFailure(
  { why, message = "" }: ActionFailure,
  words: ActionFailureWords = actionFailureWords,
): string {
  return why === undefined
    ? message
    : (words[why.code] as (value: ActionFailureReason) => string)(why);
}
