import { isTerminal } from "@bron/protocol";
import { useWindowVirtualizer, defaultRangeExtractor, type Range } from "@tanstack/react-virtual";
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { useGroupedItems } from "./approval-groups.ts";
import { approvalOf } from "./approval-of.ts";
import type { Item } from "./item.ts";
import { PassageContext } from "./passage.ts";
import { isRunning, type Timeline } from "./timeline.ts";
import { TimelineItem } from "./timeline-item.tsx";
import { useStickToEnd } from "./use-stick-to-end.ts";

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
  /** The latest word of each running tool call, by action. */
  readonly progress: ReadonlyMap<string, string>;
  /** Everything that was in the log when the page opened has arrived. */
  readonly isCaughtUp: boolean;
  /** Changes whenever the content below the items grows. */
  readonly tail: string;
  /** A running task is read from its end, a finished one from its start. */
  readonly startsAtEnd: boolean;
}

/** The timeline as a virtual list. */
export function Timeline({
  runId,
  timeline,
  progress,
  isCaughtUp,
  tail,
  startsAtEnd,
}: TimelineProps) {
  const { status } = timeline;
  const { items, groups } = useGroupedItems(timeline);
  const list = useRef<HTMLOListElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    setMargin(Math.round(top + scrollY));
  }, [items.length]);
  const rangeExtractor = useRangeWithApprovals(items);
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: items.length,
    estimateSize: (index) => heights[items[index]?.kind ?? "line"],
    getItemKey: (index) => `${items[index]?.kind}-${items[index]?.key}`,
    overscan: items.length <= virtualizeAbove ? virtualizeAbove : overscan,
    scrollMargin: margin,
    rangeExtractor,
  });
  useScrollToPassage(virtualizer, items);
  const lastWait = items.findLast(({ kind }) => kind === "status");
  const height = virtualizer.getTotalSize();
  const { isAway, toEnd, lookAt } = useStickToEnd({
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
                approval={approvalOf(item, timeline, isCaughtUp)}
                group={isCaughtUp ? groups.get(item.key) : undefined}
                runId={runId}
                progress={item.kind === "tool" ? progress.get(item.key) : undefined}
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
      {/* Hidden while the run waits, because nothing may cover an approval. */}
      {isAway &&
        (isRunning(timeline) || (items.length > virtualizeAbove && isTerminal(status))) && (
          <div className="pointer-events-none fixed inset-x-0 bottom-4 z-10 flex justify-center md:left-60">
            <Button className="pointer-events-auto rounded-full shadow-lg" onClick={toEnd}>
              {texts.run.jumpToLatest} ↓
            </Button>
          </div>
        )}
    </>
  );
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

/** Approvals stay mounted, so that typed text is not lost by scrolling. */
function useRangeWithApprovals(items: readonly Item[]): (range: Range) => number[] {
  const approvals = useMemo(
    () =>
      items.flatMap((item, index) =>
        item.kind === "card" && item.card.kind === "ApprovalCard" ? [index] : [],
      ),
    [items],
  );
  return useCallback(
    (range) =>
      [...new Set([...approvals, ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
    [approvals],
  );
}
