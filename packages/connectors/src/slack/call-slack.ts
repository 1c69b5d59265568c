import { BronError, type Clock } from "@bron/core";
import type { WebClient } from "@slack/web-api";
import type { SlackAccounts } from "./slack-accounts.ts";
import { isPassing, readFailure, toBronError } from "./slack-error.ts";

export interface SlackDeps {
  readonly accounts: Pick<SlackAccounts, "client">;
  readonly clock: Clock;
}

export interface SlackCaller {
  readonly ownerId: string;
  readonly signal: AbortSignal;
  /** Pauses beyond this time, by the monotonic clock, are not waited for. */
  readonly patientUntil?: number;
}

const attempts = 4;
const firstPauseMs = 500;
const longestPauseMs = 35_000;

/** Reads: repeated after 429, 5xx and broken connections, with growing pauses or the one that Slack names. */
export async function readFromSlack<T>(
  { accounts, clock }: SlackDeps,
  { ownerId, signal, patientUntil = Infinity }: SlackCaller,
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
      const isTooLong = pause > longestPauseMs || clock.monotonic() + pause > patientUntil;
      if (failure && (!isPassing(failure) || attempt === attempts || isTooLong))
        throw toBronError(failure);
      await clock.sleep(pause, signal);
    }
  }
}
