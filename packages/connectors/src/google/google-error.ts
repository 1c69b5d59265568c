import { messageOf } from "@bron/core";

/** An error response from Google, no matter which of its clients threw it. */
export interface GoogleFailure {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly message: string;
  readonly reason: string | undefined;
  readonly retryAfterMs: number | undefined;
}

interface ThrownByClient {
  readonly response?: {
    readonly status?: unknown;
    readonly data?: unknown;
    readonly headers?: unknown;
  };
  readonly status?: unknown;
}

export function readFailure(error: unknown): GoogleFailure {
  const { response, status } = (
    typeof error === "object" && error !== null ? error : {}
  ) as ThrownByClient;
  const answered =
    typeof response?.status === "number"
      ? response.status
      : typeof status === "number"
        ? status
        : undefined;
  const { message, reason } = readBody(response?.data);
  return {
    status: answered,
    message: message ?? messageOf(error),
    reason,
    retryAfterMs: readRetryAfter(response?.headers),
  };
}

/** `{error: {message, errors: [{reason}]}}` of the APIs, `{error, error_description}` of OAuth. */
function readBody(data: unknown): { message?: string; reason?: string | undefined } {
  if (typeof data !== "object" || data === null || !("error" in data)) return { reason: undefined };
  const { error } = data;
  if (typeof error === "string")
    return {
      message:
        "error_description" in data && typeof data.error_description === "string"
          ? data.error_description
          : error,
      reason: error,
    };
  const { message, errors } = error as { message?: unknown; errors?: { reason?: unknown }[] };
  const reason = errors?.[0]?.reason;
  return {
    ...(typeof message === "string" ? { message } : {}),
    reason: typeof reason === "string" ? reason : undefined,
  };
}

function readRetryAfter(headers: unknown): number | undefined {
  const value =
    headers instanceof Headers
      ? headers.get("retry-after")
      : (headers as Record<string, string> | undefined)?.["retry-after"];
  const seconds = Number(value);
  return value !== null && value !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? seconds * 1_000
    : undefined;
}
