/** Connects a callback that produces items with a generator that consumes them. */
interface Queue<T> {
  readonly push: (items: readonly T[]) => void;
  has(): boolean;
  take(): T[];
  /** Resolves when the queue has items or the signal aborts. */
  filled(): Promise<void>;
  close(): void;
}

export function createQueue<T>(signal: AbortSignal): Queue<T> {
  let items: T[] = [];
  let wake: (() => void) | undefined;
  const emit = () => {
    wake?.();
    wake = undefined;
  };
  signal.addEventListener("abort", emit, { once: true });
  return {
    push(more) {
      items.push(...more);
      emit();
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
    close: () => signal.removeEventListener("abort", emit),
  };
}
