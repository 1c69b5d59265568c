/** The longest wait in a hidden tab, where no frames are drawn. */
const hiddenMs = 250;

interface FrameBatch<T> {
  add(item: T): void;
  stop(): void;
}

/**
 * Batches the items that arrive between two frames, so that thousands of events need few renders.
 */
export function batchPerFrame<T>(onBatch: (items: readonly T[]) => void): FrameBatch<T> {
  let waiting: T[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancelTimers = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
  };
  const flush = () => {
    cancelTimers();
    const items = waiting;
    waiting = [];
    onBatch(items);
  };
  return {
    add(item) {
      waiting.push(item);
      frame ??= requestAnimationFrame(flush);
      timer ??= setTimeout(flush, hiddenMs);
    },
    stop() {
      cancelTimers();
      waiting = [];
    },
  };
}
