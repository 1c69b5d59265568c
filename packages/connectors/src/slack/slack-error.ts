import { BronError, messageOf } from "@bron/core";

export const slackProvider = "slack";

/** What an answer of Slack's says, whichever way its client threw it. */
export interface SlackFailure {
  /** Slack's own word, such as channel_not_found; undefined when there was no such answer. */
  readonly error: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly message: string;
  /** The scopes that it wants. */
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

const lostAccess = new Set([
  "not_authed",
  "invalid_auth",
  "token_revoked",
  "token_expired",
  "account_inactive",
  "no_permission",
  "org_login_required",
]);

/** Worth another try: no answer, or one that says so. */
export function isPassing({ error, status }: SlackFailure): boolean {
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

/** For the model and for people: what is wrong, and what would help. */
export function toBronError(failure: SlackFailure): BronError {
  const { error, message, needed, status } = failure;
  if (error !== undefined && lostAccess.has(error))
    return needsSlack(`Slack no longer accepts the connection (${error}).`);
  if (error === "missing_scope")
    return needsSlack(
      `Slack wants another permission: ${needed ?? "a scope"}. Add it to the app, and connect again.`,
    );
  if (error === "not_in_channel" || error === "channel_not_found")
    return new BronError(
      "not_found",
      `Slack does not show this channel (${error}). If it exists, invite Bron into it: /invite @Bron.`,
    );
  if (error === "thread_not_found")
    return new BronError("not_found", "There is no such conversation in this channel.");
  if (error === "user_not_found" || error === "user_not_visible")
    return new BronError("not_found", "Slack shows nobody of this id.");
  if (error !== undefined) return new BronError("tool_failed", `Slack answered ${error}.`);
  return new BronError(
    "tool_failed",
    status === undefined
      ? `Slack could not be reached: ${message}`
      : `Slack answered ${status}: ${message}`,
  );
}

export function needsSlack(message: string): BronError {
  return new BronError("missing_credentials", message, { details: { provider: slackProvider } });
}
