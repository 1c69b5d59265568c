/** Between a callback that gives and a generator that takes. */
export interface Queue<T> {
  readonly push: (items: readonly T[]) => void;
  has(): boolean;
  take(): T[];
  /** Resolves when there is something, or when the signal aborts. */
  filled(): Promise<void>;
  close(): void;
}

export function createQueue<T>(signal: AbortSignal): Queue<T> {
  let items: T[] = [];
  let wake: (() => void) | undefined;
  const tell = () => {
    wake?.();
    wake = undefined;
  };
  signal.addEventListener("abort", tell, { once: true });
  return {
    push(more) {
      items.push(...more);
      tell();
    },
    has: () => items.length > 0,
    take() {
      const taken = items;
      items = [];
      return taken;
    },
    filled: () =>
      new Promise((resolve) => {
        if (items.length > 0 || signal.aborted) resolve();
        else wake = resolve;
      }),
    close: () => signal.removeEventListener("abort", tell),
  };
}
