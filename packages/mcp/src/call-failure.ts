import { BronError, messageOf } from "@bron/core";

/** JSON-RPC errors with which a server rejects a request before it carries it out. */
const rejectedCodes: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);
/** Errors of the network that come before anything was sent. */
const notSentCodes: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);
const maxMessageCharacters = 2_000;

/**
 * What a failed call means. `rejected`: nothing was done. `not_reached`: the request did not get to
 * the server. `sign_in`: the server wants one first. `lost`: the server no longer knows the session.
 * `unclear`: the request was sent, and no clear response came.
 */
export type CallFailure = "rejected" | "not_reached" | "sign_in" | "lost" | "unclear";

export function classifyFailure(error: unknown): CallFailure {
  const code = codeIn(error);
  if (code === 401) return "sign_in";
  if (code === 404) return "lost";
  if (typeof code === "number" && rejectedCodes.has(code)) return "rejected";
  // 400, 403, 405 and the like: the server did not take the request.
  if (typeof code === "number" && code >= 400 && code < 500 && code !== 408) return "rejected";
  if (typeof code === "string" && notSentCodes.has(code)) return "not_reached";
  if (error instanceof Error && error.cause !== undefined) return classifyFailure(error.cause);
  return "unclear";
}

function codeIn(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** The text of an error, which may be the server's, within limits. */
export function failureText(error: unknown): string {
  const text = messageOf(error).replace(/^MCP error -?\d+: /, "");
  const cause =
    error instanceof Error && error.cause instanceof Error && text === "fetch failed"
      ? error.cause.message
      : text;
  return cause.slice(0, maxMessageCharacters);
}

export function notDone(
  message: string,
  options: { readonly retryAfterMs?: number; readonly cause?: unknown } = {},
): BronError {
  const { retryAfterMs, cause } = options;
  return new BronError("effect_not_done", message, {
    retryable: retryAfterMs !== undefined,
    details: { retryAfterMs: retryAfterMs ?? 0 },
    cause,
  });
}
