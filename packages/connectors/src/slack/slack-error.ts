import { actionFailure, BronError, messageOf } from "@bron/core";
import type { AuthReason } from "@bron/protocol";
import { needsAccount } from "../needs-account.ts";

export const slackProvider = "slack";
export const slackName = "Slack";

/** An error from Slack, no matter how its client threw it. */
interface SlackFailure {
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

const missingUserCodes = new Set(["user_not_found", "users_not_found", "user_not_visible"]);

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
  const said = { service: slackName, message };
  if (error !== undefined && lostAccessCodes.has(error))
    return needsSlack({ code: "connection_rejected", service: slackName, message: error });
  if (error === "missing_scope")
    return needsSlack({
      code: "scope_missing",
      service: slackName,
      scope: needed ?? "unknown",
    });
  if (error === "not_in_channel" || error === "channel_not_found")
    return actionFailure("not_found", { code: "channel_hidden", message: error });
  if (error === "thread_not_found")
    return actionFailure("not_found", { code: "slack_thread_missing" });
  if (error !== undefined && missingUserCodes.has(error))
    return actionFailure("not_found", { code: "slack_user_missing" });
  if (error !== undefined)
    return actionFailure("tool_failed", {
      code: "service_error",
      service: slackName,
      message: error,
    });
  return actionFailure(
    "tool_failed",
    status === undefined
      ? { code: "service_unreachable", ...said }
      : { code: "service_error", status, ...said },
  );
}

export function needsSlack(why: AuthReason): BronError {
  return needsAccount(slackProvider, why);
}
