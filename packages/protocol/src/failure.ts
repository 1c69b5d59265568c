import { z } from "zod";
import { errorCodes } from "./errors.ts";

/**
 * Why a run, or one of its model calls, failed. `detail` is text of a provider.
 *
 * - `no_progress`: workers failed on the run repeatedly.
 * - `call_lost`: a worker stopped before the model's response was saved.
 */
export const failureReasonSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("time_limit"), minutes: z.number() }),
  z.object({ code: z.literal("step_limit"), steps: z.number().int() }),
  z.object({
    code: z.literal("tool_call_limit"),
    asked: z.number().int(),
    limit: z.number().int(),
  }),
  /** The limit is that of a group of tools, such as gmail. */
  z.object({
    code: z.literal("group_call_limit"),
    asked: z.number().int(),
    limit: z.number().int(),
    group: z.string(),
  }),
  z.object({ code: z.literal("tool_does_not_exist"), tool: z.string() }),
  z.object({ code: z.literal("child_failed"), title: z.string() }),
  z.object({ code: z.literal("no_progress"), attempts: z.number().int() }),
  z.object({ code: z.literal("price_unknown"), model: z.string() }),
  z.object({ code: z.literal("task_budget"), limitMicrousd: z.number() }),
  z.object({ code: z.literal("owner_budget") }),
  z.object({
    code: z.literal("period_budget"),
    period: z.enum(["day", "month"]),
    limitMicrousd: z.number(),
  }),
  z.object({ code: z.literal("model_silent"), model: z.string(), seconds: z.number() }),
  z.object({ code: z.literal("model_slow"), model: z.string(), seconds: z.number() }),
  z.object({ code: z.literal("model_unreachable"), detail: z.string() }),
  z.object({ code: z.literal("provider_error"), status: z.number().int(), detail: z.string() }),
  z.object({ code: z.literal("response_unreadable"), detail: z.string() }),
  z.object({ code: z.literal("response_cut_off") }),
  z.object({ code: z.literal("response_filtered") }),
  z.object({ code: z.literal("response_empty") }),
  z.object({ code: z.literal("response_too_long"), model: z.string(), limit: z.number().int() }),
  z.object({ code: z.literal("call_canceled") }),
  z.object({ code: z.literal("call_lost") }),
]);
export type FailureReason = Readonly<z.infer<typeof failureReasonSchema>>;

/** `code` is for programs. `why` is for people, in words of the reader. */
export const failureSchema = z.object({
  code: z.enum(errorCodes),
  why: failureReasonSchema.optional(),
  /** Text that Bron did not choose, and text of logs before version 6. */
  message: z.string().optional(),
});
export type Failure = Readonly<z.infer<typeof failureSchema>>;

/** A sentence for each reason. */
export type FailureWords = {
  readonly [K in FailureReason["code"]]: (why: Extract<FailureReason, { code: K }>) => string;
};

/** The sentences of the terminal, the web app, the agent API and the model. */
export const failureWords: FailureWords = {
  time_limit: ({ minutes }) => `Stopped after ${minutes} minutes, the time limit for one task.`,
  step_limit: ({ steps }) => `Stopped after ${steps} steps, the limit for one task.`,
  tool_call_limit: ({ asked, limit }) =>
    `The model asked for ${asked} tool calls. The limit for one task is ${limit}.`,
  group_call_limit: ({ asked, limit, group }) =>
    `The model asked for ${asked} ${group} calls. The limit for one task is ${limit}.`,
  tool_does_not_exist: ({ tool }) =>
    `The model called "${tool}" again, a tool that does not exist.`,
  child_failed: ({ title }) => `A required subtask was not completed: ${title}`,
  no_progress: ({ attempts }) =>
    `Bron tried ${attempts} times to continue this task and made no progress.`,
  price_unknown: ({ model }) => `There is a spending limit, but the price of ${model} is unknown.`,
  task_budget: ({ limitMicrousd }) =>
    `The next model call could exceed this task's limit of ${dollars(limitMicrousd)}.`,
  owner_budget: () => "Your spending limit does not allow another model call.",
  period_budget: ({ period, limitMicrousd }) =>
    `Your budget for ${period === "day" ? "today" : "this month"} (${dollars(limitMicrousd)}) does not allow another model call.`,
  model_silent: ({ model, seconds }) => `${model} stopped responding for ${seconds}s.`,
  model_slow: ({ model, seconds }) => `${model} did not finish within ${seconds}s.`,
  model_unreachable: ({ detail }) => `The model could not be reached: ${detail}`,
  provider_error: ({ status, detail }) => `The model's provider returned ${status}: ${detail}`,
  response_unreadable: ({ detail }) => `The model's response could not be read: ${detail}`,
  response_cut_off: () => "The model's response was cut off.",
  response_filtered: () => "The provider's safety filter blocked the response.",
  response_empty: () => "The model's response had neither text nor a usable tool call.",
  response_too_long: ({ model, limit }) =>
    `${model} wrote more than ${limit} characters, so Bron stopped it.`,
  call_canceled: () => "The model call was canceled.",
  call_lost: () => "The worker stopped before the model's response was saved.",
};

/** The sentence for a failure. */
export function describeFailure(
  { why, message = "" }: Omit<Failure, "code">,
  words: FailureWords = failureWords,
): string {
  return why === undefined ? message : (words[why.code] as (value: FailureReason) => string)(why);
}

function dollars(microusd: number): string {
  return `$${(microusd / 1_000_000).toFixed(microusd < 10_000 ? 6 : 2)}`;
}
