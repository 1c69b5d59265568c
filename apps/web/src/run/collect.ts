/** Longest wait where no frames are drawn, as in a tab that is not looked at. */
const hiddenMs = 250;

export interface Collector<T> {
  add(item: T): void;
  stop(): void;
}

/** Hands on together what comes between two frames: thousands of events are a few renderings. */
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
