import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useContext, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { texts } from "../texts.ts";
import type { TimelineGroup } from "./approval-groups.ts";
import { approvalOf } from "./approval-of.ts";
import type { Item } from "./item.ts";
import { PassageContext } from "./passage.ts";
import type { Timeline } from "./timeline.ts";
import { TimelineItem } from "./timeline-item.tsx";

/** Up to this many items all are in the page, where browser search and screen readers find them. */
const virtualizeAbove = 150;
/** Items rendered outside the screen, so that no gap shows while scrolling. */
const overscan = 15;
const heights: Readonly<Record<Item["kind"], number>> = {
  user: 90,
  answer: 120,
  tool: 48,
  card: 260,
  question: 200,
  unasked: 40,
  plan: 100,
  line: 40,
  status: 40,
  connected: 40,
  tools: 40,
  retry: 40,
  child: 44,
  file: 40,
};

interface TimelineProps {
  readonly runId: string;
  readonly timeline: Timeline;
  /** The items of the timeline that are shown here. */
  readonly items: readonly Item[];
  readonly groups: ReadonlyMap<string, TimelineGroup>;
  /** The latest word of each running tool call, by action. */
  readonly progress: ReadonlyMap<string, string>;
  /** Everything that was in the log when the page opened has arrived. */
  readonly isCaughtUp: boolean;
}

/** The steps of a task as a virtual list. */
export function Timeline({ runId, timeline, items, groups, progress, isCaughtUp }: TimelineProps) {
  const { status } = timeline;
  const list = useRef<HTMLOListElement>(null);
  const margin = useScrollMargin(list);
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: items.length,
    estimateSize: (index) => heights[items[index]?.kind ?? "line"],
    getItemKey: (index) => `${items[index]?.kind}-${items[index]?.key}`,
    overscan: items.length <= virtualizeAbove ? virtualizeAbove : overscan,
    scrollMargin: margin,
  });
  useScrollToPassage(virtualizer, items);
  const lastWait = items.findLast(({ kind }) => kind === "status");
  return (
    <ol
      ref={list}
      aria-label={texts.run.timeline}
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
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
              approval={approvalOf(item, timeline, isCaughtUp)}
              group={isCaughtUp ? groups.get(item.key) : undefined}
              runId={runId}
              progress={item.kind === "tool" ? progress.get(item.key) : undefined}
              isWaitingForAccount={status === "awaiting_auth"}
              isWaiting={
                item === lastWait && lastWait?.kind === "status" && lastWait.status === status
              }
              onAsked={ignoreAsked}
            />
          </li>
        );
      })}
    </ol>
  );
}

const ignoreAsked = () => undefined;

/** Where the list begins on the page. It moves when something above it grows. */
function useScrollMargin(list: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = () =>
      setMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return margin;
}

/** Brings the step of the passage onto the page. The step itself scrolls to the passage. */
function useScrollToPassage(
  { scrollToIndex }: { scrollToIndex(index: number): void },
  items: readonly Item[],
): void {
  const { step } = useContext(PassageContext);
  const index =
    step === undefined ? -1 : items.findIndex(({ kind, key }) => kind === "tool" && key === step);
  useEffect(() => {
    if (index >= 0) scrollToIndex(index);
  }, [index, step, scrollToIndex]);
}
