import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { openDecision } from "../cards/use-approval-keys.ts";
import { topEdge } from "../edges.ts";

/** A reader this close to the end counts as being at the end. */
const nearPx = 96;
/** Beyond this distance, the page offers a button to the end. */
const farPx = 400;
/** The space above an approval that the page has scrolled to. */
const abovePx = 16;

interface StickToEnd {
  /** The newest item is out of view. */
  readonly isAway: boolean;
  toEnd(): void;
  /** Scrolls to an approval, unless the reader has scrolled back. */
  lookAt(element: HTMLElement): void;
}

/**
 * Keeps the page at its end while it grows, unless the reader has scrolled back. `what` must change
 * with the content.
 */
export function useStickToEnd({
  what,
  startsAtEnd,
}: {
  readonly what: string;
  readonly startsAtEnd: boolean;
}): StickToEnd {
  const isSticking = useRef(startsAtEnd);
  const lastY = useRef(0);
  const asked = useRef<HTMLElement>(null);
  const [isAway, setIsAway] = useState(false);
  const toEnd = useCallback(() => {
    isSticking.current = true;
    scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  }, []);
  const lookAt = useCallback((element: HTMLElement) => {
    if (!isSticking.current) return;
    asked.current = element;
    scrollTo({ top: scrollY + leftAbove(element), behavior: "instant" });
    isSticking.current = leftPx() < nearPx;
  }, []);
  useLayoutEffect(() => {
    if (isSticking.current) scrollTo({ top: endKeepingInView(asked.current), behavior: "instant" });
    setIsAway(leftPx() > farPx);
  }, [what]);
  useEffect(() => {
    const onScroll = () => {
      // Only a reader scrolls back. Growing content never does.
      if (leftPx() < nearPx) isSticking.current = true;
      else if (scrollY < lastY.current - 2) isSticking.current = false;
      lastY.current = scrollY;
      setIsAway(leftPx() > farPx);
    };
    addEventListener("scroll", onScroll, { passive: true });
    addEventListener("resize", onScroll);
    return () => {
      removeEventListener("scroll", onScroll);
      removeEventListener("resize", onScroll);
    };
  }, []);
  return { isAway, toEnd, lookAt };
}

/** The end of the page, or less if the start of an open approval would leave the screen. */
function endKeepingInView(approval: HTMLElement | null): number {
  const end = document.documentElement.scrollHeight;
  if (!approval?.querySelector(`[${openDecision}]`)) return end;
  const above = leftAbove(approval);
  return above < -abovePx ? end : Math.min(end, scrollY + above);
}

/** How far the page can scroll until the element is at the top. */
function leftAbove(element: HTMLElement): number {
  return element.getBoundingClientRect().top - topEdge() - abovePx;
}

function leftPx(): number {
  return document.documentElement.scrollHeight - innerHeight - scrollY;
}
