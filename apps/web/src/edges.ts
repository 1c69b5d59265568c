import { useLayoutEffect, useRef, type RefObject } from "react";

/** Where the page can be seen: below the headers that stay at its top. What stands at the side covers nothing. */
export function topEdge(): number {
  let edge = 0;
  for (const header of document.querySelectorAll("header")) {
    const { top, bottom, width } = header.getBoundingClientRect();
    if (getComputedStyle(header).position === "sticky" && width * 2 > innerWidth && top <= edge + 1) edge = Math.max(edge, bottom);
  }
  return edge;
}

/** Above what stays at the bottom. */
export function bottomEdge(): number {
  let edge = innerHeight;
  for (const footer of document.querySelectorAll("footer")) {
    if (getComputedStyle(footer).position === "sticky") edge = Math.min(edge, footer.getBoundingClientRect().top);
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
      root.setProperty(name, `${width * 2 > innerWidth ? height : 0}px`);
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
