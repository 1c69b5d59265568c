import { ClientError } from "./client-error.ts";
import { sleep, waitBefore, type ClientTimes } from "./client-times.ts";
import { untilOnline, type Network } from "./network.ts";

/** What a person should know of the connection; a cut from which it resumes at once is none. */
export type ConnectionState = "live" | "reconnecting" | "offline" | "polling";

export interface ResumeDeps {
  readonly times: ClientTimes;
  readonly network: Network;
  readonly signal: AbortSignal;
  readonly onConnection: ((state: ConnectionState) => void) | undefined;
}

export interface Attempt {
  /** A stream, or pages where streams are refused or fail. */
  readonly by: "stream" | "pages";
  /** Something came: the connection is good. */
  met(): void;
  /** Something came that brought the reader further: the next wait is a short one again. */
  moved(): void;
}

/** No stream will come from a server, or from something before it, that answers so. */
const refusals: ReadonlySet<number> = new Set([405, 406, 501]);

/**
 * Tries again and again, with growing pauses, until `attempt` says that all is read or the signal aborts. Throws what waiting cannot mend,
 * and what lasts longer than the patience.
 */
export async function* keepTrying<T>(
  { times, network, signal, onConnection }: ResumeDeps,
  attempt: (attempt: Attempt) => AsyncGenerator<T, "done" | "again">,
): AsyncGenerator<T, void> {
  let tries = 0;
  let goneSince: number | undefined;
  let streamlessSince: number | undefined;
  let streamsFrom = 0;
  let told: ConnectionState = "live";
  const tell = (state: ConnectionState) => {
    if (state !== told) onConnection?.(state);
    told = state;
  };
  /** Before it is given up, pages are asked for too: perhaps only streams do not come through. */
  const missed = (error: ClientError, by: Attempt["by"], now: number) => {
    goneSince ??= now;
    if (by === "stream") streamlessSince ??= now;
    tell(network.isOnline() ? "reconnecting" : "offline");
    const isTooLong = now - goneSince >= times.patienceMs;
    if (isTooLong && by === "pages") throw error;
    if (isTooLong || (streamlessSince !== undefined && now - streamlessSince >= times.pollAfterMs))
      streamsFrom = now + times.streamAgainMs;
  };

  while (!signal.aborted) {
    if (!network.isOnline()) {
      tell("offline");
      await untilOnline(network, signal);
      // Nobody was asked meanwhile.
      goneSince = streamlessSince = undefined;
    }
    if (signal.aborted) return;
    const by = performance.now() >= streamsFrom ? "stream" : "pages";
    let hasMet = false;
    const met = () => {
      hasMet = true;
      goneSince = undefined;
      if (by === "stream") streamlessSince = undefined;
      tell(by === "stream" ? "live" : "polling");
    };
    try {
      if ((yield* attempt({ by, met, moved: () => (tries = 0) })) === "done") return;
    } catch (error) {
      if (signal.aborted) return;
      if (!ClientError.is(error)) throw error;
      const now = performance.now();
      const status = Number(error.details["status"]);
      if (by === "stream" && refusals.has(status)) streamsFrom = Number.POSITIVE_INFINITY;
      else if (by === "stream" && status === 429) streamsFrom = now + times.streamAgainMs;
      else if (!error.retryable) throw error;
      else if (!hasMet) missed(error, by, now);
    }
    await sleep(
      performance.now() >= streamsFrom ? waitBefore(tries++, times) : times.pollMs,
      signal,
    );
  }
}
