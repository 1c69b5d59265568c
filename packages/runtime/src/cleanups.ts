/** Everything that was opened, in order. */
export interface Cleanups {
  add(close: () => Promise<void>): void;
  /** Closes everything, the latest first. Idempotent. Throws what failed after trying all. */
  close(): Promise<void>;
}

export function createCleanups(): Cleanups {
  const steps: (() => Promise<void>)[] = [];
  return {
    add: (close) => void steps.push(close),
    async close() {
      const failures: unknown[] = [];
      for (let step = steps.pop(); step; step = steps.pop())
        await step().catch((error: unknown) => failures.push(error));
      if (failures.length > 0)
        throw failures.length === 1
          ? failures[0]
          : new AggregateError(failures, "The runtime could not close everything");
    },
  };
}
