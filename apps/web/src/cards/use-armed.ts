import { useEffect, useRef } from "react";

/** Longer than between two presses of the same key. */
const settleMs = 600;

/**
 * Whether a key may decide: the content has been complete on the screen for a moment. A second press
 * that was meant for the card before, or for reading on, must not decide this one.
 */
export function useArmed(isComplete: boolean): () => boolean {
  const since = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    since.current = isComplete ? performance.now() : Number.POSITIVE_INFINITY;
  }, [isComplete]);
  return () => performance.now() - since.current >= settleMs;
}
