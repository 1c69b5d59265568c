import { isTerminal } from "@bron/protocol";
import { useWindowVirtualizer, defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { isRunning, type Item, type Timeline } from "./timeline.ts";
import { TimelineItem } from "./timeline-item.tsx";
import { useSubscription } from "./use-subscription.ts";

/** Below this all of it is in the page, where the browser's own search and a screen reader find it. */
const wholeUpTo = 150;
/** Drawn beyond the screen, so that nothing is missing while it is scrolled. */
const beyond = 15;
const heights: Readonly<Record<Item["kind"], number>> = {
  user: 90,
  answer: 120,
  tool: 48,
  card: 260,
  line: 40,
  status: 40,
  connected: 40,
  retry: 40,
  child: 44,
  file: 40,
};

interface TimelineProps {
  readonly timeline: Timeline;
  /** Changes with what grows below the items. */
  readonly tail: string;
  /** A run that goes on is read from its end, one that is over from its beginning. */
  readonly startsAtEnd: boolean;
}

/** The story as a list of which only what is near the screen is in the page. */
export function Timeline({ timeline, tail, startsAtEnd }: TimelineProps) {
  const { items, status } = timeline;
  const list = useRef<HTMLOListElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    setMargin(Math.round(top + scrollY));
  }, [items.length]);
  // What is typed into a decision must not be lost by scrolling it away.
  const asked = useMemo(
    () =>
      items.flatMap((item, index) =>
        item.kind === "card" && item.card.kind === "ApprovalCard" ? [index] : [],
      ),
    [items],
  );
  const rangeExtractor = useCallback(
    (range: Range) =>
      [...new Set([...asked, ...defaultRangeExtractor(range)])].toSorted(
        (one, other) => one - other,
      ),
    [asked],
  );
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: items.length,
    estimateSize: (index) => heights[items[index]?.kind ?? "line"],
    getItemKey: (index) => `${items[index]?.kind}-${items[index]?.key}`,
    overscan: items.length <= wholeUpTo ? wholeUpTo : beyond,
    scrollMargin: margin,
    rangeExtractor,
  });
  const lastWait = items.findLast(({ kind }) => kind === "status");
  const height = virtualizer.getTotalSize();
  const { isAway, toEnd, lookAt } = useSubscription({
    what: `${items.length} ${Math.round(height)} ${tail}`,
    startsAtEnd,
  });
  return (
    <>
      <ol ref={list} aria-label={texts.run.timeline} className="relative" style={{ height }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-kind={item.kind}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              <TimelineItem
                item={item}
                isWaitingForAccount={status === "awaiting_auth"}
                isWaiting={
                  item === lastWait && lastWait?.kind === "status" && lastWait.status === status
                }
                onAsked={lookAt}
              />
            </li>
          );
        })}
      </ol>
      {/* Not over a decision: nothing may hide what is decided on. */}
      {isAway && (isRunning(timeline) || (items.length > wholeUpTo && isTerminal(status))) && (
        <div className="pointer-events-none fixed inset-x-0 bottom-4 z-10 flex justify-center md:left-60">
          <Button className="pointer-events-auto rounded-full shadow-lg" onClick={toEnd}>
            {texts.run.newest} ↓
          </Button>
        </div>
      )}
    </>
  );
}
