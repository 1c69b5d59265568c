import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { topEdge } from "../edges.ts";

/** So near is at the end. */
const nearPx = 96;
/** So far, the way to the end is offered. */
const farPx = 400;

interface Following {
  /** The newest is out of sight. */
  readonly isAway: boolean;
  toEnd(): void;
  /** To where a decision begins, for a reader who follows. */
  lookAt(element: HTMLElement): void;
}

/** Keeps a reader who is at the end there as it grows, and one who has scrolled back where they are. `what` changes with what is shown. */
export function useSubscription({
  what,
  startsAtEnd,
}: {
  readonly what: string;
  readonly startsAtEnd: boolean;
}): Following {
  const isFollowing = useRef(startsAtEnd);
  const lastY = useRef(0);
  const [isAway, setIsAway] = useState(false);
  const toEnd = useCallback(() => {
    isFollowing.current = true;
    scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  }, []);
  const lookAt = useCallback((element: HTMLElement) => {
    if (!isFollowing.current) return;
    scrollTo({
      top: scrollY + element.getBoundingClientRect().top - topEdge() - 16,
      behavior: "instant",
    });
    isFollowing.current = leftPx() < nearPx;
  }, []);
  useLayoutEffect(() => {
    if (isFollowing.current)
      scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    setIsAway(leftPx() > farPx);
  }, [what]);
  useEffect(() => {
    const look = () => {
      // Growing never scrolls back: only a reader does.
      if (leftPx() < nearPx) isFollowing.current = true;
      else if (scrollY < lastY.current - 2) isFollowing.current = false;
      lastY.current = scrollY;
      setIsAway(leftPx() > farPx);
    };
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, []);
  return { isAway, toEnd, lookAt };
}

function leftPx(): number {
  return document.documentElement.scrollHeight - innerHeight - scrollY;
}
