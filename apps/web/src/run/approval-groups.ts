import { currentApprovals, groupApprovals, isTerminal, type LoggedApproval } from "@bron/protocol";
import { useMemo } from "react";
import type { Item } from "./item.ts";
import type { Timeline } from "./timeline.ts";

/** The approvals that one card of the timeline shows. */
export interface TimelineGroup {
  readonly members: readonly LoggedApproval[];
  readonly isLive: boolean;
}

interface GroupedItems {
  /** Without the cards of approvals that another card shows. */
  readonly items: readonly Item[];
  /** By the key of the item that shows it. */
  readonly groups: ReadonlyMap<string, TimelineGroup>;
}

/** A group is shown where its first approval was asked. A single effect keeps a card of its own. */
export function useGroupedItems({
  items,
  approvalsInLog: { approvals },
  status,
}: Timeline): GroupedItems {
  return useMemo(
    () => groupItems(items, approvals, isTerminal(status)),
    [items, approvals, status],
  );
}

export function groupItems(
  items: readonly Item[],
  approvals: ReadonlyMap<string, LoggedApproval>,
  isOver: boolean,
): GroupedItems {
  const all = [...approvals.values()].map(({ approval }) => approval);
  const groups = groupApprovals(all).filter((group) => currentApprovals(group).length > 1);
  if (groups.length === 0) return { items, groups: new Map() };
  const groupOf = new Map(groups.flatMap((group) => group.map(({ id }) => [id, group] as const)));
  const shown = new Map<string, TimelineGroup>();
  const rest = items.filter((item) => {
    const id = approvalIdOf(item);
    const group = id === undefined ? undefined : groupOf.get(id);
    if (!group) return true;
    if (group[0]?.id !== id) return false;
    const members = group.flatMap((approval) => approvals.get(approval.id) ?? []);
    // The log of a finished run is closed. An approval that it left open expires without an event.
    const isLeftOpen = isOver && members.some(({ approval }) => approval.state === "pending");
    shown.set(item.key, { members, isLive: !isLeftOpen });
    return true;
  });
  return { items: rest, groups: shown };
}

function approvalIdOf(item: Item): string | undefined {
  return item.kind === "card" && item.card.kind === "ApprovalCard"
    ? item.card.payload.approvalId
    : undefined;
}
