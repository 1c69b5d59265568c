import { useLayoutEffect, useRef, type RefObject } from "react";

interface Box {
  readonly top: number;
  readonly bottom: number;
}

/**
 * The part of an element that is visible now. Undefined behind a dialog, or while a zoomed screen
 * cuts its lines off at a side.
 */
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

/** The y position below the sticky headers. A header at the side covers nothing. */
export function topEdge(): number {
  let edge = 0;
  for (const header of document.querySelectorAll("header")) {
    const { top, bottom, width } = header.getBoundingClientRect();
    if (getComputedStyle(header).position === "sticky" && width * 2 > innerWidth && top <= edge + 1)
      edge = Math.max(edge, bottom);
  }
  return edge;
}

/** What the header of a task covers once the bars above it have scrolled away. */
export function roomAtTop(): number {
  return Number.parseFloat(document.documentElement.style.getPropertyValue("--task-room")) || 0;
}

/** Bars that stick to the bottom are stacked, with no more than this between them. */
const barGapPx = 24;

/**
 * The y position above the bars that stick to the bottom. A bar that has scrolled up with its card
 * covers nothing.
 */
function bottomEdge(): number {
  const bars = [...document.querySelectorAll("footer, [data-bottom-bar]")]
    .filter((bar) => {
      const { display, position } = getComputedStyle(bar);
      return display !== "none" && (position === "sticky" || position === "fixed");
    })
    .map((bar) => bar.getBoundingClientRect())
    .toSorted((one, other) => other.bottom - one.bottom);
  let edge = innerHeight;
  for (const { top, bottom } of bars) if (bottom >= edge - barGapPx) edge = Math.min(edge, top);
  return edge;
}

/**
 * Publishes the height of a sticky header to styles.css as a variable, so that scrolling to an
 * element does not put it below the header.
 */
export function useRoomAtTop(): RefObject<HTMLElement | null> {
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = header.current;
    if (!element) return;
    const root = document.documentElement.style;
    const update = () => {
      root.setProperty("--task-room", `${element.getBoundingClientRect().height}px`);
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty("--task-room");
    };
  }, []);
  return header;
}

/** The same for a sticky footer: keeps the focused element above it. */
export function useRoomAtEnd(): RefObject<HTMLElement | null> {
  const footer = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = footer.current;
    if (!element) return;
    const root = document.documentElement.style;
    const update = () =>
      root.setProperty("--composer-room", `${element.getBoundingClientRect().height}px`);
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty("--composer-room");
    };
  }, []);
  return footer;
}
