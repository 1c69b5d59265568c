/** Lets few things run at once; the others wait in line, and leave it when their signal aborts. */
export function createSlots(count: number) {
  let free = count;
  const line: (() => void)[] = [];

  const release = () => {
    const next = line.shift();
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
    const leave = () => {
      line.splice(line.indexOf(resolve), 1);
      reject(signal?.reason);
    };
    line.push(resolve);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
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
