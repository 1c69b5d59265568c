import { useLayoutEffect, useRef, type RefObject } from "react";

/** Of the section, or the line of a list, that it stood in, as far as that is still there. */
type Next = (around: HTMLElement | null) => HTMLElement | null | undefined;

/** For an element that may go away with the focus on it, or inside: the focus then goes on to `next`, and not to nowhere. */
export function useFocusAfter<Element extends HTMLElement>(next: Next): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  const latest = useRef(next);
  useLayoutEffect(() => {
    latest.current = next;
  });
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const around = element.closest<HTMLElement>("section, article, li[tabindex]");
      // What takes its place is in the page a moment later.
      queueMicrotask(() => latest.current(around)?.focus());
    };
  }, []);
  return ref;
}
