import { BronError } from "@bron/core";

/** Limits how long a server may take. It stands still while the owner is asked. */
export interface CallTimer {
  readonly signal: AbortSignal;
  /** Runs `work` without counting its time. */
  pause<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

export function createCallTimer(limitMs: number): CallTimer {
  const controller = new AbortController();
  let leftMs = limitMs;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    startedAt = performance.now();
    const expire = () =>
      controller.abort(
        new BronError("tool_timeout", `No response within ${limitMs / 1_000} seconds`),
      );
    timer = setTimeout(expire, Math.max(0, leftMs));
  };
  const stop = () => {
    clearTimeout(timer);
    leftMs -= performance.now() - startedAt;
  };
  start();
  return {
    signal: controller.signal,
    stop,
    async pause(work) {
      stop();
      try {
        return await work();
      } finally {
        start();
      }
    },
  };
}
