import { ClientError } from "./client-error.ts";
import { sleep, backoffMs, type ClientTimes } from "./client-times.ts";
import {
  createConnectionHealth,
  type ConnectionMode,
  type ConnectionState,
} from "./connection-health.ts";
import { untilOnline, type Network } from "./network.ts";

interface ReconnectDeps {
  readonly times: ClientTimes;
  readonly network: Network;
  readonly signal: AbortSignal;
  readonly onConnection: ((state: ConnectionState) => void) | undefined;
}

export interface Attempt {
  readonly mode: ConnectionMode;
  /** Call it when data has arrived, because the connection works. */
  connected(): void;
  /** Call it when the reader has advanced. It resets the backoff. */
  progressed(): void;
}

/**
 * Repeats `attempt` with backoff until it returns `done` or the signal aborts. Throws errors that a
 * retry cannot fix, and gives up after `giveUpAfterMs`.
 */
export async function* withReconnect<T>(
  { times, network, signal, onConnection }: ReconnectDeps,
  attempt: (attempt: Attempt) => AsyncGenerator<T, "done" | "again">,
): AsyncGenerator<T, void> {
  const health = createConnectionHealth(times, onConnection);
  let tries = 0;
  while (!signal.aborted) {
    if (!network.isOnline()) {
      health.offline();
      await untilOnline(network, signal);
      health.online();
    }
    if (signal.aborted) return;
    const mode = health.modeAt(performance.now());
    let hasConnected = false;
    const connected = () => {
      hasConnected = true;
      health.connected(mode);
    };
    try {
      if ((yield* attempt({ mode, connected, progressed: () => (tries = 0) })) === "done") return;
    } catch (error) {
      if (signal.aborted) return;
      if (!ClientError.is(error)) throw error;
      const [isOnline, now] = [network.isOnline(), performance.now()];
      health.failed(error, { mode, hasConnected, isOnline, now });
    }
    const isStreaming = health.modeAt(performance.now()) === "stream";
    await sleep(isStreaming ? backoffMs(tries++, times) : times.pollMs, signal);
  }
}
