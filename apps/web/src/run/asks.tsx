import type { TimelineGroup } from "./approval-groups.ts";
import { approvalOf } from "./approval-of.ts";
import type { Item } from "./item.ts";
import type { Timeline } from "./timeline.ts";
import { TimelineItem } from "./timeline-item.tsx";

interface AsksProps {
  readonly runId: string;
  readonly timeline: Timeline;
  readonly items: readonly Item[];
  readonly groups: ReadonlyMap<string, TimelineGroup>;
  readonly isCaughtUp: boolean;
  onAsked(element: HTMLElement): void;
}

/** What a task asks its owner: approvals, questions, accounts and doubts, without the steps. */
export function Asks({ runId, timeline, items, groups, isCaughtUp, onAsked }: AsksProps) {
  return items.map((item) => (
    <div key={`${item.kind}-${item.key}`} data-kind={item.kind} className="min-w-0">
      <TimelineItem
        item={item}
        approval={approvalOf(item, timeline, isCaughtUp)}
        group={isCaughtUp ? groups.get(item.key) : undefined}
        runId={runId}
        progress={undefined}
        isWaitingForAccount={timeline.status === "awaiting_auth"}
        isWaiting={false}
        isPlain
        onAsked={onAsked}
      />
    </div>
  ));
}
