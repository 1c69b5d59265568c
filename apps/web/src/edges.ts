import { useLayoutEffect, useRef, type RefObject } from "react";

interface Box {
  readonly top: number;
  readonly bottom: number;
}

/** As much of an element as can be seen now: nothing behind a dialog, and nothing of lines that a zoomed screen cuts off at a side. */
export function seenOf({ top, bottom, left, right }: DOMRect): Box | undefined {
  if (document.visibilityState === "hidden" || document.querySelector("dialog[open]"))
    return undefined;
  const view = visualViewport ?? {
    offsetTop: 0,
    offsetLeft: 0,
    width: innerWidth,
    height: innerHeight,
  };
  if (left < view.offsetLeft - 1 || right > view.offsetLeft + view.width + 1) return undefined;
  const seen = {
    top: Math.max(top, topEdge(), view.offsetTop),
    bottom: Math.min(bottom, bottomEdge(), view.offsetTop + view.height),
  };
  return seen.bottom > seen.top ? seen : undefined;
}

/** Where the page can be seen: below the headers that stay at its top. What stands at the side covers nothing. */
export function topEdge(): number {
  let edge = 0;
  for (const header of document.querySelectorAll("header")) {
    const { top, bottom, width } = header.getBoundingClientRect();
    if (getComputedStyle(header).position === "sticky" && width * 2 > innerWidth && top <= edge + 1)
      edge = Math.max(edge, bottom);
  }
  return edge;
}

/** Above what stays at the bottom. */
function bottomEdge(): number {
  let edge = innerHeight;
  for (const footer of document.querySelectorAll("footer")) {
    if (getComputedStyle(footer).position === "sticky")
      edge = Math.min(edge, footer.getBoundingClientRect().top);
  }
  return edge;
}

/** The room that a header takes at the top of the page, for styles.css: what is scrolled to is not below it. */
export function useRoomAtTop(name: "--menu-room" | "--task-room"): RefObject<HTMLElement | null> {
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = header.current;
    if (!element) return;
    const root = document.documentElement.style;
    const look = () => {
      const { width, height } = element.getBoundingClientRect();
      // Its beginning may be scrolled away.
      const away = Math.min(0, Number.parseFloat(getComputedStyle(element).top) || 0);
      root.setProperty(name, `${width * 2 > innerWidth ? height + away : 0}px`);
    };
    look();
    const watching = new ResizeObserver(look);
    watching.observe(element);
    return () => {
      watching.disconnect();
      root.removeProperty(name);
    };
  }, [name]);
  return header;
}
