/** In milliseconds. */
export interface ClientTimes {
  /** For the head of an answer. */
  readonly answerMs: number;
  /** How long `events` waits for a server that is gone before it gives up. */
  readonly patienceMs: number;
  /** Between two tries: at first, doubled after each, and at most. Jitter takes up to half of it away. */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** A stream that says nothing for so long is dead: the server's heartbeat comes every 20 s. */
  readonly silenceMs: number;
  /** Between two pages, where streams are refused or have failed for too long. */
  readonly pollMs: number;
  /** After so long without a stream, pages are asked for. */
  readonly pollAfterMs: number;
  /** After so long with pages, a stream is tried again. */
  readonly streamAgainMs: number;
}

export const defaultTimes: ClientTimes = {
  answerMs: 30_000,
  patienceMs: 60_000,
  firstWaitMs: 500,
  maxWaitMs: 10_000,
  silenceMs: 60_000,
  pollMs: 3_000,
  pollAfterMs: 90_000,
  streamAgainMs: 30_000,
};

/** Before try number `tries` + 1; never the same for all who lost the same server. */
export function waitBefore(tries: number, { firstWaitMs, maxWaitMs }: ClientTimes): number {
  return Math.min(maxWaitMs, firstWaitMs * 2 ** tries) * (0.5 + Math.random() / 2);
}

/** Resolves early when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
