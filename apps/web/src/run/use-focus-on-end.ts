import { useEffect, useRef, type RefObject } from "react";

/**
 * When a task ends, its approvals move into the folded steps. If one of them had the focus, the
 * focus moves to the answer.
 */
export function useFocusOnEnd(isOver: boolean): RefObject<HTMLDivElement | null> {
  const task = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    const element = task.current;
    if (isOver) {
      if (hadFocus.current && document.activeElement === document.body)
        element?.querySelector<HTMLElement>("[data-answer]")?.focus({ preventScroll: true });
      return;
    }
    const note = () => (hadFocus.current = element?.contains(document.activeElement) === true);
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, [isOver]);
  return task;
}
