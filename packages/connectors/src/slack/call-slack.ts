import { actionFailure, BronError, notDoneFailure, type Clock } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import type { WebClient } from "@slack/web-api";
import type { SlackAccounts } from "./slack-accounts.ts";
import { isTransient, readFailure, slackName, toBronError } from "./slack-error.ts";

export interface SlackDeps {
  readonly accounts: Pick<SlackAccounts, "client" | "status">;
  readonly clock: Clock;
}

export interface SlackCaller {
  readonly ownerId: string;
  readonly signal: AbortSignal;
  /** Deadline by the monotonic clock. A retry that would start later is not waited for. */
  readonly retryDeadline?: number;
}

const attempts = 4;
const firstPauseMs = 500;
const maxPauseMs = 35_000;

/**
 * Reads are retried after 429, 5xx and broken connections, with growing delays or the delay that
 * Slack asks for.
 */
export async function readFromSlack<T>(
  { accounts, clock }: SlackDeps,
  { ownerId, signal, retryDeadline = Infinity }: SlackCaller,
  request: (client: WebClient) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request(await accounts.client(ownerId, signal));
    } catch (error) {
      if (signal.aborted || (BronError.is(error) && (!error.retryable || attempt === attempts)))
        throw error;
      const failure = BronError.is(error) ? undefined : readFailure(error);
      const pause =
        failure?.retryAfterMs ?? firstPauseMs * 2 ** (attempt - 1) * (0.75 + clock.random() / 2);
      const isTooLong = pause > maxPauseMs || clock.monotonic() + pause > retryDeadline;
      if (failure && (!isTransient(failure) || attempt === attempts || isTooLong))
        throw toBronError(failure);
      await clock.sleep(pause, signal);
    }
  }
}

/**
 * Changes are requested only once. A response that proves that nothing happened becomes
 * `effect_not_done`. Without a clear response the error is rethrown, and the outcome counts as
 * unknown.
 */
export async function changeInSlack<T>(
  { accounts }: SlackDeps,
  { ownerId, signal }: SlackCaller,
  request: (client: WebClient) => Promise<T>,
): Promise<T> {
  try {
    return await request(await accounts.client(ownerId, signal));
  } catch (error) {
    // Without a token no request was made.
    if (BronError.is(error, "tool_failed")) throw notDoneFailure(error, { retryable: true });
    if (BronError.is(error)) throw error;
    const failure = readFailure(error);
    const isRateLimited = failure.status === 429 || failure.error === "ratelimited";
    if (isTransient(failure) && !isRateLimited) {
      if (isNeverSent(error)) throw notDoneFailure(toBronError(failure), { retryable: true });
      throw error;
    }
    const known = toBronError(failure);
    if (BronError.is(known, "missing_credentials")) throw known;
    throw actionFailure(
      "effect_not_done",
      { code: "service_rejected", service: slackName, message: failure.error ?? failure.message },
      {
        retryable: isRateLimited,
        details: omitUndefined({ retryAfterMs: failure.retryAfterMs }),
        cause: error,
      },
    );
  }
}

const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
const maxCauses = 5;

/** Whether no connection was made, so that nothing of the request has left. */
function isNeverSent(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < maxCauses && typeof error === "object" && error !== null; depth++) {
    const { code, cause, original } = error as {
      readonly code?: unknown;
      readonly cause?: unknown;
      readonly original?: unknown;
    };
    if (typeof code === "string" && unsentCodes.has(code)) return true;
    error = original ?? cause;
  }
  return false;
}

/** Whether Slack responded, so that the request is over and can have no later effect. */
export function hasResponded(thrown: unknown): boolean {
  const { error, status } = readFailure(thrown);
  return error !== undefined || status !== undefined;
}
