import {
  actionFailureReasonSchema,
  describeActionFailure,
  type ActionError,
  type ActionFailureReason,
  type ErrorCode,
} from "@bron/protocol";
import { cleanText } from "../context/clean-text.ts";
import { BronError, messageOf } from "../errors.ts";

/** `advice` says what the model should do next. The owner does not see it. */
export function actionError(code: ErrorCode, why: ActionFailureReason, advice = ""): ActionError {
  return { code, message: messageFor(why, advice), why };
}

interface FailureOptions {
  readonly advice?: string;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** The same as an exception, for code that runs inside a tool. */
export function actionFailure(
  code: ErrorCode,
  why: ActionFailureReason,
  { advice = "", ...options }: FailureOptions = {},
): BronError {
  return new BronError(code, messageFor(why, advice), { ...options, details: { why } });
}

/** The error of a tool that threw. */
export function errorOf(thrown: unknown): ActionError {
  if (!BronError.is(thrown)) return { code: "tool_failed", message: cleanText(messageOf(thrown)) };
  const { data: why } = actionFailureReasonSchema.safeParse(thrown.details["why"]);
  return { code: thrown.code, message: cleanText(thrown.message), ...(why ? { why } : {}) };
}

function messageFor(why: ActionFailureReason, advice: string): string {
  const sentence = describeActionFailure({ why });
  return advice === "" ? sentence : `${sentence} ${advice}`;
}
