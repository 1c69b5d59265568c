import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { seenOf, topEdge } from "../edges.ts";
import { unseenParts, withPart, type Part } from "./seen-parts.ts";

/** Thinner than a line of text. */
const slackPx = 8;

export interface ReadWhole {
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Of its height, in percent. */
  readonly unseenPercent: number;
  readonly isWhole: boolean;
  /** Scrolls to the first of what has not been on the screen. */
  readOn(): void;
}

/** Whether all of an element has been on the screen, in whatever order. Belongs to one content: another one is another element. */
export function useReadWhole(): ReadWhole {
  const ref = useRef<HTMLDivElement>(null);
  const parts = useRef<readonly Part[]>([]);
  const [unseenPercent, setUnseenPercent] = useState(100);
  const unseen = useCallback(
    () =>
      unseenParts(
        parts.current,
        slackPx / Math.max(1, ref.current?.getBoundingClientRect().height ?? 1),
      ),
    [],
  );
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = () => {
      const box = element.getBoundingClientRect();
      const seen = seenOf(box);
      if (!seen) return;
      parts.current = withPart(parts.current, [
        (seen.top - box.top) / box.height,
        (seen.bottom - box.top) / box.height,
      ]);
      setUnseenPercent(
        Math.ceil(unseen().reduce((sum, [start, end]) => sum + end - start, 0) * 100),
      );
    };
    look();
    const watching = new ResizeObserver(look);
    watching.observe(element);
    const leaving = new AbortController();
    const { signal } = leaving;
    for (const target of [window, visualViewport])
      for (const event of ["scroll", "resize"])
        target?.addEventListener(event, look, { passive: true, signal });
    document.addEventListener("visibilitychange", look, { signal });
    // Of a dialog that covered it.
    document.addEventListener("close", look, { capture: true, signal });
    return () => {
      watching.disconnect();
      leaving.abort();
    };
  }, [unseen]);
  const readOn = useCallback(() => {
    const [first] = unseen();
    if (!first || !ref.current) return;
    const { top, height } = ref.current.getBoundingClientRect();
    scrollTo({ top: scrollY + top + first[0] * height - topEdge() - 16, behavior: "instant" });
  }, [unseen]);
  return { ref, unseenPercent, isWhole: unseenPercent === 0, readOn };
}
