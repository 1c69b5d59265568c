import { BronError, messageOf } from "@bron/core";

export const slackProvider = "slack";

/** An error from Slack, no matter how its client threw it. */
export interface SlackFailure {
  /** Slack's error code, such as channel_not_found. Undefined if the response had none. */
  readonly error: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly message: string;
  /** The scopes that Slack requires. */
  readonly needed: string | undefined;
}

interface ThrownByClient {
  readonly data?: { readonly error?: unknown; readonly needed?: unknown };
  readonly statusCode?: unknown;
  readonly retryAfter?: unknown;
}

export function readFailure(thrown: unknown): SlackFailure {
  const { data, statusCode, retryAfter } = (
    typeof thrown === "object" && thrown !== null ? thrown : {}
  ) as ThrownByClient;
  return {
    error: typeof data?.error === "string" ? data.error : undefined,
    status:
      typeof statusCode === "number"
        ? statusCode
        : typeof retryAfter === "number"
          ? 429
          : undefined,
    retryAfterMs: typeof retryAfter === "number" ? retryAfter * 1_000 : undefined,
    message: messageOf(thrown),
    needed: typeof data?.needed === "string" ? data.needed : undefined,
  };
}

const lostAccessCodes = new Set([
  "not_authed",
  "invalid_auth",
  "token_revoked",
  "token_expired",
  "account_inactive",
  "no_permission",
  "org_login_required",
]);

/** Whether a retry may succeed: there was no response, or the response says so. */
export function isTransient({ error, status }: SlackFailure): boolean {
  if (error !== undefined)
    return (
      error === "ratelimited" ||
      error === "internal_error" ||
      error === "fatal_error" ||
      error === "service_unavailable" ||
      error === "request_timeout"
    );
  return status === undefined || status === 429 || status >= 500;
}

/** Converts the error to a message that says what is wrong and what would help. */
export function toBronError(failure: SlackFailure): BronError {
  const { error, message, needed, status } = failure;
  if (error !== undefined && lostAccessCodes.has(error))
    return needsSlack(`Slack no longer accepts the connection (${error}). Connect it again.`);
  if (error === "missing_scope")
    return needsSlack(
      `Slack requires another scope: ${needed ?? "unknown"}. Add it to the app and connect again.`,
    );
  if (error === "not_in_channel" || error === "channel_not_found")
    return new BronError(
      "not_found",
      `Bron can't see this channel (${error}). Invite it with /invite @Bron.`,
    );
  if (error === "thread_not_found")
    return new BronError("not_found", "Thread not found in this channel.");
  if (error === "user_not_found" || error === "user_not_visible")
    return new BronError("not_found", "Slack user not found.");
  if (error !== undefined)
    return new BronError("tool_failed", `Slack returned an error: ${error}.`);
  return new BronError(
    "tool_failed",
    status === undefined
      ? `Couldn't reach Slack: ${message}`
      : `Slack returned an error (${status}): ${message}`,
  );
}

export function needsSlack(message: string): BronError {
  return new BronError("missing_credentials", message, { details: { provider: slackProvider } });
}
