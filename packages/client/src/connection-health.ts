import type { ClientError } from "./client-error.ts";
import type { ClientTimes } from "./client-times.ts";

/** The connection state for the interface. An interruption that resumes at once is not reported. */
export type ConnectionState = "live" | "reconnecting" | "offline" | "polling";

/** The client polls if streams are refused or fail. */
export type ConnectionMode = "stream" | "polling";

/**
 * What the attempts so far say about the connection. Times are milliseconds of a monotonic clock.
 */
interface ConnectionHealth {
  modeAt(now: number): ConnectionMode;
  offline(): void;
  /** No request was made while offline, so that time does not count as unreachable. */
  online(): void;
  connected(mode: ConnectionMode): void;
  /** Throws the error if a retry cannot fix it, or if the server was unreachable for too long. */
  failed(error: ClientError, attempt: FailedAttempt): void;
}

interface FailedAttempt {
  readonly mode: ConnectionMode;
  readonly hasConnected: boolean;
  readonly isOnline: boolean;
  readonly now: number;
}

/**
 * The server, or a proxy in front of it, does not support streams if it responds with one of these.
 */
const noStreamStatuses: ReadonlySet<number> = new Set([405, 406, 501]);

export function createConnectionHealth(
  times: Pick<ClientTimes, "giveUpAfterMs" | "pollAfterMs" | "retryStreamAfterMs">,
  onConnection: ((state: ConnectionState) => void) | undefined,
): ConnectionHealth {
  let unreachableSince: number | undefined;
  let noStreamSince: number | undefined;
  let streamAllowedAt = 0;
  let reported: ConnectionState = "live";
  const report = (state: ConnectionState) => {
    if (state !== reported) onConnection?.(state);
    reported = state;
  };
  /** Polls once more before giving up, because perhaps only streams do not get through. */
  const unreachable = (error: ClientError, { mode, isOnline, now }: FailedAttempt) => {
    unreachableSince ??= now;
    if (mode === "stream") noStreamSince ??= now;
    report(isOnline ? "reconnecting" : "offline");
    const isTooLong = now - unreachableSince >= times.giveUpAfterMs;
    if (isTooLong && mode === "polling") throw error;
    if (isTooLong || (noStreamSince !== undefined && now - noStreamSince >= times.pollAfterMs))
      streamAllowedAt = now + times.retryStreamAfterMs;
  };
  return {
    modeAt: (now) => (now >= streamAllowedAt ? "stream" : "polling"),
    offline: () => report("offline"),
    online() {
      unreachableSince = noStreamSince = undefined;
    },
    connected(mode) {
      unreachableSince = undefined;
      if (mode === "stream") noStreamSince = undefined;
      report(mode === "stream" ? "live" : "polling");
    },
    failed(error, attempt) {
      const status = Number(error.details["status"]);
      if (attempt.mode === "stream" && noStreamStatuses.has(status))
        streamAllowedAt = Number.POSITIVE_INFINITY;
      else if (attempt.mode === "stream" && status === 429)
        streamAllowedAt = attempt.now + times.retryStreamAfterMs;
      else if (!error.retryable) throw error;
      else if (!attempt.hasConnected) unreachable(error, attempt);
    },
  };
}
