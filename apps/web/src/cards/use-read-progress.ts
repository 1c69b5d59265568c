import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { seenOf, topEdge } from "../edges.ts";
import { unseenRanges, addRange, type Range } from "./seen-ranges.ts";

/** Gaps below this height, less than a line of text, are ignored. */
const slackPx = 8;

export interface ReadProgress {
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Share of the height that has not been on the screen. */
  readonly unseenPercent: number;
  readonly isComplete: boolean;
  /** Scrolls to the first range that has not been on the screen. */
  continueReading(): void;
}

/**
 * Tracks how much of an element has been on the screen, in any order. Use one element per content.
 */
export function useReadProgress(): ReadProgress {
  const ref = useRef<HTMLDivElement>(null);
  const ranges = useRef<readonly Range[]>([]);
  const [unseenPercent, setUnseenPercent] = useState(100);
  const unseen = useCallback(
    () =>
      unseenRanges(
        ranges.current,
        slackPx / Math.max(1, ref.current?.getBoundingClientRect().height ?? 1),
      ),
    [],
  );
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const recordVisible = () => {
      const box = element.getBoundingClientRect();
      const seen = seenOf(box);
      if (!seen) return;
      ranges.current = addRange(ranges.current, [
        (seen.top - box.top) / box.height,
        (seen.bottom - box.top) / box.height,
      ]);
      setUnseenPercent(
        Math.ceil(unseen().reduce((sum, [start, end]) => sum + end - start, 0) * 100),
      );
    };
    recordVisible();
    const observer = new ResizeObserver(recordVisible);
    observer.observe(element);
    const unmounted = new AbortController();
    const { signal } = unmounted;
    for (const target of [window, visualViewport])
      for (const event of ["scroll", "resize"])
        target?.addEventListener(event, recordVisible, { passive: true, signal });
    document.addEventListener("visibilitychange", recordVisible, { signal });
    // A dialog that covered the element was closed.
    document.addEventListener("close", recordVisible, { capture: true, signal });
    return () => {
      observer.disconnect();
      unmounted.abort();
    };
  }, [unseen]);
  const continueReading = useCallback(() => {
    const [first] = unseen();
    if (!first || !ref.current) return;
    const { top, height } = ref.current.getBoundingClientRect();
    scrollTo({ top: scrollY + top + first[0] * height - topEdge() - 16, behavior: "instant" });
  }, [unseen]);
  return { ref, unseenPercent, isComplete: unseenPercent === 0, continueReading };
}
