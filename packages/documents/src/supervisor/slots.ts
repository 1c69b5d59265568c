/**
 * Returns a function that runs `work` when one of `count` slots is free. Callers without a slot
 * wait in a queue and leave it when their signal aborts.
 */
export function createSlots(count: number) {
  let free = count;
  const queue: (() => void)[] = [];

  const release = () => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  const acquire = async (signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leaveQueue = () => {
      queue.splice(queue.indexOf(resolve), 1);
      reject(signal?.reason);
    };
    queue.push(resolve);
    signal?.addEventListener("abort", leaveQueue, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", leaveQueue);
    }
  };
  return async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    await acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
