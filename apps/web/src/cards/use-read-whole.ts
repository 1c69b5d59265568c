import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { bottomEdge, topEdge } from "../edges.ts";
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
  const unseen = useCallback(() => unseenParts(parts.current, slackPx / Math.max(1, ref.current?.getBoundingClientRect().height ?? 1)), []);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = () => {
      const { top, bottom, height } = element.getBoundingClientRect();
      const [from, to] = [Math.max(top, topEdge()), Math.min(bottom, bottomEdge())];
      if (document.visibilityState === "hidden" || height === 0 || to <= from) return;
      parts.current = withPart(parts.current, [(from - top) / height, (to - top) / height]);
      setUnseenPercent(Math.ceil(unseen().reduce((sum, [start, end]) => sum + end - start, 0) * 100));
    };
    look();
    const watching = new ResizeObserver(look);
    watching.observe(element);
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      watching.disconnect();
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
      document.removeEventListener("visibilitychange", look);
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
