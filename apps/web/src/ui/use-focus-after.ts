import { useLayoutEffect, useRef, type RefObject } from "react";

/** Receives the section or list item that contained the element, if it still exists. */
type Next = (container: HTMLElement | null) => HTMLElement | null | undefined;

/**
 * If the element is removed while it has the focus, the focus moves to `next` instead of being
 * lost.
 */
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
      const container = element.closest<HTMLElement>("section, article, li[tabindex]");
      // The element that replaces it is in the page a moment later.
      queueMicrotask(() => latest.current(container)?.focus());
    };
  }, []);
  return ref;
}
