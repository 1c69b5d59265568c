import { omitUndefined, type ErrorCode, type Failure } from "@bron/protocol";
import { cleanText } from "../context/clean-text.ts";
import { BronError, messageOf } from "../errors.ts";
import type { ModelFailure } from "./model-result.ts";

/**
 * Turns any error from a provider into a coded failure. It reads the shape of the AI SDK's API
 * error, not its class.
 */
export function modelFailureOf(
  error: unknown,
  { canceled, hasOutput }: { canceled: boolean; hasOutput: boolean },
): ModelFailure {
  if (canceled)
    return {
      ok: false,
      error: { code: "interrupted", why: { code: "call_canceled" } },
      retryable: false,
      cost: "unknown",
    };
  if (BronError.is(error))
    return {
      ok: false,
      error: { code: error.code, message: short(error.message) },
      retryable: error.retryable,
      cost: hasOutput ? "unknown" : "nothing",
    };
  if (isCoded(error)) return { ok: false, error, retryable: true, cost: "unknown" };
  const status = statusOf(error);
  if (status !== undefined) return httpFailure(status, error, hasOutput);
  const neverSent = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"].some((code) =>
    causes(error).some((cause) => cause["code"] === code),
  );
  const parse = causes(error).some(
    (cause) =>
      String(cause["name"]).includes("ParseError") ||
      String(cause["name"]).includes("TypeValidation"),
  );
  if (parse)
    return {
      ok: false,
      error: {
        code: "model_response_invalid",
        why: { code: "response_unreadable", detail: short(messageOf(error)) },
      },
      retryable: true,
      cost: "unknown",
    };
  return {
    ok: false,
    error: {
      code: "model_unavailable",
      why: { code: "model_unreachable", detail: short(messageOf(error)) },
    },
    retryable: true,
    cost: neverSent ? "nothing" : "unknown",
  };
}

/** Whether the model could not be used at all. A rejected request would be rejected again. */
export function isModelOutage({ code }: Failure): boolean {
  return ["model_unavailable", "model_timeout", "model_rate_limited"].includes(code);
}

/**
 * A request that is rejected before any output costs nothing. A server that failed may have done
 * work and may charge for it.
 */
function httpFailure(status: number, error: unknown, hasOutput: boolean): ModelFailure {
  const code: ErrorCode =
    status === 429
      ? "model_rate_limited"
      : status >= 500 || status === 408
        ? "model_unavailable"
        : "model_refused";
  const retryAfterMs = retryAfter(error);
  return {
    ok: false,
    error: { code, why: { code: "provider_error", status, detail: short(messageOf(error)) } },
    retryable: code !== "model_refused",
    ...omitUndefined({ retryAfterMs }),
    cost: status < 500 && !hasOutput ? "nothing" : "unknown",
  };
}

function statusOf(error: unknown): number | undefined {
  for (const cause of causes(error))
    if (typeof cause["statusCode"] === "number")
      return cause["statusCode"] >= 400 ? cause["statusCode"] : undefined;
  return undefined;
}

function retryAfter(error: unknown): number | undefined {
  const headers = causes(error)[0]?.["responseHeaders"];
  if (typeof headers !== "object" || headers === null) return undefined;
  const value = (headers as Record<string, string | undefined>)["retry-after"];
  const seconds = Number(value);
  return value !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? seconds * 1000
    : undefined;
}

function causes(error: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = [];
  let current = error;
  while (typeof current === "object" && current !== null && chain.length < 8) {
    chain.push(current as Record<string, unknown>);
    current = (current as { cause?: unknown }).cause;
  }
  return chain;
}

function isCoded(error: unknown): error is Failure {
  return (
    typeof error === "object" &&
    error !== null &&
    !(error instanceof Error) &&
    (error as { code?: unknown }).code === "model_timeout"
  );
}

function short(text: string): string {
  return cleanText(text.length > 500 ? `${text.slice(0, 500)}…` : text);
}
