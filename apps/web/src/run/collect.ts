/** The longest wait in a hidden tab, where no frames are drawn. */
const hiddenMs = 250;

export interface Collector<T> {
  add(item: T): void;
  stop(): void;
}

/**
 * Batches the items that arrive between two frames, so that thousands of events need few renders.
 */
export function collect<T>(take: (items: readonly T[]) => void): Collector<T> {
  let waiting: T[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
  };
  const hand = () => {
    rest();
    const items = waiting;
    waiting = [];
    take(items);
  };
  return {
    add(item) {
      waiting.push(item);
      frame ??= requestAnimationFrame(hand);
      timer ??= setTimeout(hand, hiddenMs);
    },
    stop() {
      rest();
      waiting = [];
    },
  };
}
