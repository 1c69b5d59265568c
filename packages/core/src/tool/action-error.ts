import {
  actionFailureReasonSchema,
  describeActionFailure,
  type ActionError,
  type ActionFailureReason,
  type ErrorCode,
} from "@bron/protocol";
import { cleanJson, cleanText } from "../context/clean-text.ts";
import { BronError, messageOf } from "../errors.ts";

/** `advice` says what the model should do next. The owner does not see it. */
export function actionError(code: ErrorCode, why: ActionFailureReason, advice = ""): ActionError {
  return { code, message: messageFor(why, advice), why };
}

interface FailureOptions {
  readonly advice?: string;
  readonly retryable?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The same as an exception, for code that runs inside a tool. */
export function actionFailure(
  code: ErrorCode,
  why: ActionFailureReason,
  { advice = "", details = {}, ...options }: FailureOptions = {},
): BronError {
  return new BronError(code, messageFor(why, advice), { ...options, details: { ...details, why } });
}

/**
 * The error of an effect that failed before its request was sent. The reason is that of the thrown
 * error, if it has one.
 */
export function notDoneFailure(thrown: unknown, { retryable }: { retryable: boolean }): BronError {
  const { why, message } = errorOf(thrown);
  return new BronError(
    "effect_not_done",
    describeActionFailure({ why: { code: "not_done", message } }),
    {
      retryable,
      details: { why: why ?? { code: "not_done", message } },
      cause: thrown,
    },
  );
}

/** The error of a tool that threw. */
export function errorOf(thrown: unknown): ActionError {
  if (!BronError.is(thrown)) return { code: "tool_failed", message: cleanText(messageOf(thrown)) };
  const { data: why } = actionFailureReasonSchema.safeParse(thrown.details["why"]);
  return {
    code: thrown.code,
    message: cleanText(thrown.message),
    ...(why ? { why: cleanJson(why) } : {}),
  };
}

function messageFor(why: ActionFailureReason, advice: string): string {
  const sentence = describeActionFailure({ why });
  return advice === "" ? sentence : `${sentence} ${advice}`;
}
