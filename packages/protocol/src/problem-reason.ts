import { z } from "zod";
import { accessReasonSchemas, accessWords } from "./access-reason.ts";
import { closingReasonSchema, closingWords, type ClosingWords } from "./closing-reason.ts";
import { fileReasonSchemas, fileWords } from "./file-reason.ts";
import { effectStates } from "./states.ts";

/**
 * Why a request was not accepted. `message` is text of a provider.
 *
 * - `outcome_known`, `already_settled`: the effect's outcome needs no word of the owner.
 * - `nothing_to_restore`: the effect replaced no text, or has not ended.
 * - `no_draft`: the effect left no draft.
 * - `changed_since`: the text that an effect wrote was edited or deleted afterwards.
 * - `question_closed`: it expired, or its run has ended.
 * - `task_held`: a worker is advancing the run.
 * - `action_taken`: another program has the client action. `action_late`: its deadline has passed, or
 *   its run has ended.
 * - `child_run_ended`, `child_run_moved`, `child_run_retried`: the request is possible for the main task only.
 * - `sign_in_foreign`: the sign-in was not started by this Bron.
 * - `access_missing`: the owner did not grant every permission. `missing` says what they are for.
 * - `offline_access_missing`: Google gave no refresh token.
 * - `connected_by_setting`: an environment variable has the token.
 */
const requestReasonSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("outcome_known"), state: z.enum(effectStates) }),
  z.object({ code: z.literal("already_settled") }),
  z.object({ code: z.literal("nothing_to_restore") }),
  z.object({ code: z.literal("already_restored") }),
  z.object({ code: z.literal("no_draft") }),
  z.object({ code: z.literal("restore_under_way") }),
  z.object({ code: z.literal("changed_since") }),
  z.object({ code: z.literal("side_effects_off") }),
  z.object({ code: z.literal("question_answered") }),
  z.object({ code: z.literal("question_closed") }),
  z.object({ code: z.literal("choice_unknown") }),
  z.object({ code: z.literal("thread_under_way") }),
  z.object({ code: z.literal("memory_forgotten") }),
  z.object({ code: z.literal("memory_exists") }),
  z.object({ code: z.literal("nothing_to_undo") }),
  z.object({ code: z.literal("task_under_way") }),
  z.object({ code: z.literal("task_ended") }),
  z.object({ code: z.literal("task_stopped") }),
  z.object({ code: z.literal("task_held") }),
  z.object({ code: z.literal("action_taken") }),
  z.object({ code: z.literal("action_finished") }),
  z.object({ code: z.literal("action_late") }),
  z.object({ code: z.literal("secret_wrong") }),
  z.object({ code: z.literal("child_run_moved") }),
  z.object({ code: z.literal("child_run_ended") }),
  z.object({ code: z.literal("child_run_retried") }),
  z.object({ code: z.literal("sign_in_used") }),
  z.object({ code: z.literal("sign_in_foreign") }),
  z.object({ code: z.literal("sign_in_expired") }),
  z.object({ code: z.literal("sign_in_rejected"), service: z.string(), message: z.string() }),
  z.object({
    code: z.literal("access_missing"),
    service: z.string(),
    missing: z.array(z.string()).readonly(),
  }),
  z.object({ code: z.literal("offline_access_missing") }),
  z.object({ code: z.literal("mcp_tools_changed"), server: z.string() }),
  z.object({ code: z.literal("slack_app_missing") }),
  z.object({ code: z.literal("client_missing"), service: z.string() }),
  z.object({
    code: z.literal("connected_by_setting"),
    service: z.string(),
    variable: z.string(),
  }),
  ...fileReasonSchemas,
  ...accessReasonSchemas,
]);
type RequestReason = Readonly<z.infer<typeof requestReasonSchema>>;

export const problemReasonSchema = z.union([closingReasonSchema, requestReasonSchema]);
export type ProblemReason = z.infer<typeof problemReasonSchema>;

/** The reason that an error has in its details. */
export function problemReasonOf(
  details: Readonly<Record<string, unknown>>,
): ProblemReason | undefined {
  return problemReasonSchema.safeParse(details["why"]).data;
}

/** A sentence for each reason. */
type ProblemWords = ClosingWords & {
  readonly [K in RequestReason["code"]]: (why: Extract<RequestReason, { code: K }>) => string;
};

/** The sentences of the terminal, the web app and the HTTP API. To translate them, pass another table. */
export const problemWords: ProblemWords = {
  ...closingWords,
  outcome_known: ({ state }) => `The outcome of this effect is known: it is ${state}.`,
  already_settled: () => "This effect was already settled.",
  nothing_to_restore: () => "This step replaced no text that can be restored.",
  no_draft: () => "This left no draft.",
  already_restored: () => "The old version was already restored.",
  restore_under_way: () => "The old version is being restored. Try again in a minute.",
  changed_since: () =>
    "The text was changed or deleted after Bron wrote it, so nothing was restored. The old version is a file of the task.",
  side_effects_off: () =>
    "Side effects are switched off (AGENT_SIDE_EFFECTS_ENABLED), so nothing was restored. The old version is a file of the task.",
  question_answered: () => "This question has already been answered.",
  question_closed: () => "This question is no longer open.",
  choice_unknown: () => "This is not one of the choices.",
  thread_under_way: () => "A task of this conversation has not ended. Stop it first, or wait.",
  memory_forgotten: () => "This was forgotten, so there is no text. Add it again instead.",
  memory_exists: () => "The memory already has this text.",
  nothing_to_undo: () => "There is nothing to undo.",
  task_under_way: () => "This task is still running. Stop it first, or wait.",
  task_ended: () => "This task has ended.",
  task_stopped: () => "This task was stopped.",
  task_held: () => "This task is running. Move it when it waits.",
  action_taken: () => "Another program has taken this step.",
  action_finished: () => "This step has already been finished.",
  action_late: () => "It is too late for this step.",
  secret_wrong: () => "This is not the secret of this step.",
  child_run_moved: () => "This is a subtask. Move the main task instead.",
  child_run_ended: () => "This subtask has ended. Write to the main task instead.",
  child_run_retried: () => "This is a subtask. Retry the main task instead.",
  sign_in_used: () => "This sign-in was already used. Try again.",
  sign_in_foreign: () => "This sign-in wasn't started here. Try again.",
  sign_in_expired: () => "This sign-in timed out. Try again.",
  sign_in_rejected: ({ service, message }) => `${service} rejected the sign-in: ${message}`,
  access_missing: ({ missing }) =>
    `Bron needs more access: ${missing.join("; ")}. Connect again and allow all of it.`,
  mcp_tools_changed: ({ server }) =>
    `The tools of ${server} changed since you saw them. Look at them again.`,
  offline_access_missing: () =>
    "Google didn't grant offline access. Remove Bron from your Google account's third-party apps, then reconnect.",
  slack_app_missing: () =>
    "No Slack app is configured. Set SLACK_BOT_TOKEN. If Bron has a public https address, you can set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET instead.",
  client_missing: ({ service }) =>
    `${service} isn't set up on this server. Add its client ID and secret under Connections.`,
  connected_by_setting: ({ service, variable }) =>
    `${service} is connected through ${variable}. Remove that setting to disconnect it.`,
  ...fileWords,
  ...accessWords,
};

/** The sentence for an error of a request: of its reason, or its message. */
export function describeProblem(
  { why, message = "" }: { readonly why?: ProblemReason | undefined; readonly message?: string },
  words: ProblemWords = problemWords,
): string {
  return why === undefined ? message : (words[why.code] as (value: ProblemReason) => string)(why);
}
