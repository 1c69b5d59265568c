import { omitUndefined } from "@bron/protocol";
import { actionFailure, BronError, notDoneFailure, type Clock } from "@bron/core";
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
  /**
   * The account that the request is meant for. If another account is connected by now, no request
   * is made.
   */
  readonly account?: string;
}

/** Options for the request, so that it ends when its caller aborts. */
interface RequestOptions {
  readonly signal: AbortSignal;
}

type Request<Client, T> = (
  client: Client,
  options: RequestOptions,
) => Promise<{ readonly data: T }>;

const readAttempts = 4;
const firstPauseMs = 400;
const maxPauseMs = 20_000;

/**
 * Reads are retried after 429, 5xx and broken connections, with growing delays or the delay that
 * Google asks for.
 */
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
      const isTransient =
        failure.status === undefined ||
        failure.status === 429 ||
        failure.status >= 500 ||
        isRateLimit(failure);
      if (!isTransient || attempt === readAttempts) throw toolFailure(deps.service.name, failure);
      const pause =
        failure.retryAfterMs ??
        firstPauseMs * 2 ** (attempt - 1) * (0.75 + deps.clock.random() / 2);
      if (pause > maxPauseMs) throw toolFailure(deps.service.name, failure);
      await deps.clock.sleep(pause, caller.signal);
    }
  }
}

/**
 * Changes are requested only once. A response that proves that nothing happened becomes
 * `effect_not_done`. Without a clear response the error is rethrown, and the outcome counts as
 * unknown.
 */
export async function changeAtGoogle<Client, T>(
  deps: CallDeps<Client>,
  caller: Caller,
  request: Request<Client, T>,
): Promise<T> {
  try {
    return await withFreshToken(deps, caller, request);
  } catch (error) {
    // Without a token no request was made.
    if (BronError.is(error, "tool_failed")) throw notDoneFailure(error, { retryable: true });
    if (BronError.is(error)) throw error;
    const failure = readFailure(error);
    if (failure.status === undefined || failure.status >= 500 || failure.status < 400) throw error;
    const isRateLimited = failure.status === 429 || isRateLimit(failure);
    throw actionFailure(
      "effect_not_done",
      { code: "service_rejected", service: deps.service.name, message: failure.message },
      {
        retryable: isRateLimited,
        details: {
          status: failure.status,
          ...omitUndefined({ retryAfterMs: failure.retryAfterMs }),
        },
        cause: error,
      },
    );
  }
}

/** A 401 proves that nothing happened, so the token is refreshed and the request repeated once. */
async function withFreshToken<Client, T>(
  { accounts, service }: CallDeps<Client>,
  { ownerId, signal, account }: Caller,
  request: Request<Client, T>,
): Promise<T> {
  const call = async (fresh: boolean): Promise<T> => {
    const access = await accounts.access(ownerId, { fresh });
    if (account !== undefined && access.account !== account)
      throw actionFailure("effect_not_done", {
        code: "account_changed",
        approved: account,
        connected: access.account,
      });
    if (!service.scopes.every((scope) => access.scopes.includes(scope)))
      throw needsConnection({
        code: "service_missing",
        service: service.name,
        account: access.account,
      });
    return (await request(await service.connect(access.accessToken, access.config), { signal }))
      .data;
  };
  try {
    return await call(false);
  } catch (error) {
    if (BronError.is(error) || readFailure(error).status !== 401) throw error;
  }
  try {
    return await call(true);
  } catch (error) {
    if (!BronError.is(error) && readFailure(error).status === 401)
      throw needsConnection({ code: "connection_rejected", service: "Google" });
    throw error;
  }
}

function isRateLimit({ status, reason }: GoogleFailure): boolean {
  return status === 403 && (reason === "rateLimitExceeded" || reason === "userRateLimitExceeded");
}

function toolFailure(name: string, { status, message }: GoogleFailure): BronError {
  const said = { service: name, message };
  if (status === 404 || status === 410)
    return actionFailure("not_found", { code: "service_found_nothing", ...said });
  if (status === 403) return actionFailure("forbidden", { code: "service_denied_access", ...said });
  if (status === 400)
    return actionFailure("invalid_arguments", { code: "service_rejected", ...said });
  return actionFailure(
    "tool_failed",
    status === undefined
      ? { code: "service_unreachable", ...said }
      : { code: "service_error", status, ...said },
  );
}
