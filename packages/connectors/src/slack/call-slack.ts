import { BronError, type Clock } from "@bron/core";
import type { WebClient } from "@slack/web-api";
import type { SlackAccounts } from "./slack-accounts.ts";
import { isTransient, readFailure, toBronError } from "./slack-error.ts";

export interface SlackDeps {
  readonly accounts: Pick<SlackAccounts, "client">;
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
