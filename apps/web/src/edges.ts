import { useEffect, useState } from "react";

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

/** Below the menu, which on a phone stays at the top. */
export function useMenuEdge(): number {
  const [edge, setEdge] = useState(0);
  useEffect(() => {
    const menu = document.querySelector("header");
    if (!menu) return;
    const look = () => {
      const { width, height } = menu.getBoundingClientRect();
      setEdge(width * 2 > innerWidth ? height : 0);
    };
    look();
    const watching = new ResizeObserver(look);
    watching.observe(menu);
    return () => watching.disconnect();
  }, []);
  return edge;
}
