import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { openApproval } from "../cards/use-approval-keys.ts";
import { roomAtTop, topEdge } from "../edges.ts";

/** A reader this close to the end counts as being at the end. */
const nearPx = 96;
/** Beyond this distance, the page offers a button to the end. */
const farPx = 400;
/** The space above what the page has scrolled to. */
const abovePx = 16;

/** What stays in view while the page grows: its end, or the start of an element. */
export type Anchor = "end" | { readonly id: string };

interface PageAnchor {
  /** The content whose growth counts. */
  readonly content: RefObject<HTMLDivElement | null>;
  /** The end is out of view. */
  readonly isAway: boolean;
  setAnchor(anchor: Anchor): void;
  /** Scrolls to an approval, unless the reader has scrolled back. */
  lookAt(element: HTMLElement): void;
  /** Leaves the end for the start of an element, unless the reader has scrolled back. */
  leaveEndFor(id: string): void;
}

/** Keeps its anchor in view until the reader scrolls. */
export function usePageAnchor(initial: Anchor): PageAnchor {
  const content = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | undefined>(initial);
  const asked = useRef<HTMLElement>(null);
  const [isAway, setIsAway] = useState(false);
  const arrange = useCallback(() => {
    if (anchor.current === "end") scrollNow(endKeepingInView(asked.current));
    else if (anchor.current) scrollToStart(anchor.current.id);
    setIsAway(leftPx() > farPx);
  }, []);
  const setAnchor = useCallback(
    (next: Anchor) => {
      asked.current = null;
      anchor.current = next;
      arrange();
    },
    [arrange],
  );
  const lookAt = useCallback((element: HTMLElement) => {
    if (anchor.current !== "end") return;
    asked.current = element;
    scrollNow(scrollY + leftAbove(element));
    if (leftPx() >= nearPx) anchor.current = undefined;
  }, []);
  const leaveEndFor = useCallback(
    (id: string) => anchor.current === "end" && setAnchor({ id }),
    [setAnchor],
  );
  useLayoutEffect(() => {
    arrange();
    const observer = new ResizeObserver(arrange);
    if (content.current) observer.observe(content.current);
    return () => observer.disconnect();
  }, [arrange]);
  useEffect(() => {
    const reading = () => {
      // A start stays in view only until the reader moves. The end is found again by scrolling to it.
      if (anchor.current !== "end") anchor.current = undefined;
    };
    let lastY = scrollY;
    const onScroll = () => {
      if (leftPx() < nearPx && anchor.current === undefined) anchor.current = "end";
      // Only a reader scrolls back. Growing content never does.
      else if (scrollY < lastY - 2 && leftPx() >= nearPx && anchor.current === "end")
        anchor.current = undefined;
      lastY = scrollY;
      setIsAway(leftPx() > farPx);
    };
    const inputs = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
    for (const input of inputs) addEventListener(input, reading, { passive: true });
    addEventListener("scroll", onScroll, { passive: true });
    addEventListener("resize", onScroll);
    return () => {
      for (const input of inputs) removeEventListener(input, reading);
      removeEventListener("scroll", onScroll);
      removeEventListener("resize", onScroll);
    };
  }, []);
  return { content, isAway, setAnchor, lookAt, leaveEndFor };
}

function scrollNow(top: number): void {
  scrollTo({ top, behavior: "instant" });
}

function scrollToStart(id: string): void {
  const element = document.getElementById(id);
  if (element) scrollNow(scrollY + leftAbove(element));
}

/** The end of the page, or less if the start of an open approval would leave the screen. */
function endKeepingInView(approval: HTMLElement | null): number {
  const end = document.documentElement.scrollHeight;
  const open = `[${openApproval}]`;
  if (!approval?.matches(open)) return end;
  const above = leftAbove(approval);
  return above < -abovePx ? end : Math.min(end, scrollY + above);
}

/** How far the page can scroll until the element is at the top. */
function leftAbove(element: HTMLElement): number {
  return element.getBoundingClientRect().top - Math.max(topEdge(), roomAtTop()) - abovePx;
}

function leftPx(): number {
  return document.documentElement.scrollHeight - innerHeight - scrollY;
}
