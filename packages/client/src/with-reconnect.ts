import { ClientError } from "./client-error.ts";
import { sleep, backoffMs, type ClientTimes } from "./client-times.ts";
import { untilOnline, type Network } from "./network.ts";

/** The connection state for the interface. An interruption that resumes at once is not reported. */
export type ConnectionState = "live" | "reconnecting" | "offline" | "polling";

export interface ReconnectDeps {
  readonly times: ClientTimes;
  readonly network: Network;
  readonly signal: AbortSignal;
  readonly onConnection: ((state: ConnectionState) => void) | undefined;
}

export interface Attempt {
  /** The client polls if streams are refused or fail. */
  readonly mode: "stream" | "polling";
  /** Call it when data has arrived, because the connection works. */
  connected(): void;
  /** Call it when the reader has advanced. It resets the backoff. */
  progressed(): void;
}

/**
 * The server, or a proxy in front of it, does not support streams if it responds with one of these.
 */
const noStreamStatuses: ReadonlySet<number> = new Set([405, 406, 501]);

/**
 * Repeats `attempt` with backoff until it returns `done` or the signal aborts. Throws errors that a
 * retry cannot fix, and gives up after `giveUpAfterMs`.
 */
export async function* withReconnect<T>(
  { times, network, signal, onConnection }: ReconnectDeps,
  attempt: (attempt: Attempt) => AsyncGenerator<T, "done" | "again">,
): AsyncGenerator<T, void> {
  let tries = 0;
  let unreachableSince: number | undefined;
  let noStreamSince: number | undefined;
  let streamAllowedAt = 0;
  let reported: ConnectionState = "live";
  const report = (state: ConnectionState) => {
    if (state !== reported) onConnection?.(state);
    reported = state;
  };
  /** Polls once more before giving up, because perhaps only streams do not get through. */
  const failed = (error: ClientError, mode: Attempt["mode"], now: number) => {
    unreachableSince ??= now;
    if (mode === "stream") noStreamSince ??= now;
    report(network.isOnline() ? "reconnecting" : "offline");
    const isTooLong = now - unreachableSince >= times.giveUpAfterMs;
    if (isTooLong && mode === "polling") throw error;
    if (isTooLong || (noStreamSince !== undefined && now - noStreamSince >= times.pollAfterMs))
      streamAllowedAt = now + times.retryStreamAfterMs;
  };

  while (!signal.aborted) {
    if (!network.isOnline()) {
      report("offline");
      await untilOnline(network, signal);
      // No request was made while offline, so the time does not count as unreachable.
      unreachableSince = noStreamSince = undefined;
    }
    if (signal.aborted) return;
    const mode = performance.now() >= streamAllowedAt ? "stream" : "polling";
    let hasConnected = false;
    const connected = () => {
      hasConnected = true;
      unreachableSince = undefined;
      if (mode === "stream") noStreamSince = undefined;
      report(mode === "stream" ? "live" : "polling");
    };
    try {
      if ((yield* attempt({ mode, connected, progressed: () => (tries = 0) })) === "done") return;
    } catch (error) {
      if (signal.aborted) return;
      if (!ClientError.is(error)) throw error;
      const now = performance.now();
      const status = Number(error.details["status"]);
      if (mode === "stream" && noStreamStatuses.has(status))
        streamAllowedAt = Number.POSITIVE_INFINITY;
      else if (mode === "stream" && status === 429)
        streamAllowedAt = now + times.retryStreamAfterMs;
      else if (!error.retryable) throw error;
      else if (!hasConnected) failed(error, mode, now);
    }
    await sleep(
      performance.now() >= streamAllowedAt ? backoffMs(tries++, times) : times.pollMs,
      signal,
    );
  }
}
