import { omitUndefined } from "@bron/protocol";
import { BronError, type Clock } from "@bron/core";
import { needsConnection, type GoogleAccounts } from "./google-accounts.ts";
import { readFailure, type GoogleFailure } from "./google-error.ts";
import type { GoogleService } from "./google-service.ts";

export interface CallDeps<Client> {
  readonly accounts: Pick<GoogleAccounts, "access">;
  readonly service: GoogleService<Client>;
  readonly clock: Clock;
}

export interface Caller {
  readonly ownerId: string;
  readonly signal: AbortSignal;
  /** The account that it is meant for: if another one is connected by now, nothing is asked. */
  readonly account?: string;
}

/** Takes part in the request, so that it ends with its caller. */
export interface RequestOptions {
  readonly signal: AbortSignal;
}

type Request<Client, T> = (
  client: Client,
  options: RequestOptions,
) => Promise<{ readonly data: T }>;

const readAttempts = 4;
const firstPauseMs = 400;
const longestPauseMs = 20_000;

/** Reads: repeated after 429, 5xx and broken connections, with growing pauses or the one that Google names. */
export async function readFromGoogle<Client, T>(
  deps: CallDeps<Client>,
  caller: Caller,
  request: Request<Client, T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withFreshToken(deps, caller, request);
    } catch (error) {
      if (BronError.is(error) || caller.signal.aborted) throw error;
      const failure = readFailure(error);
      const isPassing =
        failure.status === undefined ||
        failure.status === 429 ||
        failure.status >= 500 ||
        isRateLimit(failure);
      if (!isPassing || attempt === readAttempts) throw toolFailure(deps.service.name, failure);
      const pause =
        failure.retryAfterMs ??
        firstPauseMs * 2 ** (attempt - 1) * (0.75 + deps.clock.random() / 2);
      if (pause > longestPauseMs) throw toolFailure(deps.service.name, failure);
      await deps.clock.sleep(pause, caller.signal);
    }
  }
}

/**
 * Changes: asked once. An answer that proves that nothing happened becomes `effect_not_done`; without a clear answer the
 * error goes on as it is, which is doubt.
 */
export async function changeAtGoogle<Client, T>(
  deps: CallDeps<Client>,
  caller: Caller,
  request: Request<Client, T>,
): Promise<T> {
  try {
    return await withFreshToken(deps, caller, request);
  } catch (error) {
    // Without a token nothing was asked.
    if (BronError.is(error, "tool_failed"))
      throw new BronError("effect_not_done", `Not done: ${error.message}`, {
        retryable: true,
        cause: error,
      });
    if (BronError.is(error)) throw error;
    const failure = readFailure(error);
    if (failure.status === undefined || failure.status >= 500 || failure.status < 400) throw error;
    const isLater = failure.status === 429 || isRateLimit(failure);
    throw new BronError("effect_not_done", `${deps.service.name} refused it: ${failure.message}`, {
      retryable: isLater,
      details: { status: failure.status, ...omitUndefined({ retryAfterMs: failure.retryAfterMs }) },
      cause: error,
    });
  }
}

/** A 401 proves that nothing happened: the token is refreshed once, and the request made once more. */
async function withFreshToken<Client, T>(
  { accounts, service }: CallDeps<Client>,
  { ownerId, signal, account }: Caller,
  request: Request<Client, T>,
): Promise<T> {
  const ask = async (fresh: boolean): Promise<T> => {
    const access = await accounts.access(ownerId, { fresh });
    if (account !== undefined && access.account !== account)
      throw new BronError(
        "effect_not_done",
        `Not done: it was approved for ${account}, and ${access.account} is connected now.`,
      );
    if (!service.scopes.every((scope) => access.scopes.includes(scope)))
      throw needsConnection(
        `${access.account} is connected without ${service.name}. Connect it again, and leave its box ticked.`,
      );
    return (await request(await service.connect(access.accessToken), { signal })).data;
  };
  try {
    return await ask(false);
  } catch (error) {
    if (BronError.is(error) || readFailure(error).status !== 401) throw error;
  }
  try {
    return await ask(true);
  } catch (error) {
    if (!BronError.is(error) && readFailure(error).status === 401)
      throw needsConnection("Google no longer accepts the connection.");
    throw error;
  }
}

function isRateLimit({ status, reason }: GoogleFailure): boolean {
  return status === 403 && (reason === "rateLimitExceeded" || reason === "userRateLimitExceeded");
}

function toolFailure(name: string, { status, message }: GoogleFailure): BronError {
  if (status === 404 || status === 410)
    return new BronError("not_found", `${name} does not have it: ${message}`);
  if (status === 403) return new BronError("forbidden", `${name} does not allow it: ${message}`);
  if (status === 400)
    return new BronError("invalid_arguments", `${name} did not understand it: ${message}`);
  return new BronError(
    "tool_failed",
    status === undefined
      ? `${name} could not be reached: ${message}`
      : `${name} answered ${status}: ${message}`,
  );
}
