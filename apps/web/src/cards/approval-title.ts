import type { ApprovalView } from "@bron/protocol";
import { texts } from "../texts.ts";

type Closed = Pick<ApprovalView, "state" | "reply" | "undoUntil">;

/** What became of an approval that is closed. */
export function closedTitle({ state, reply, undoUntil }: Closed): string {
  if (reply !== null) return texts.approval.changesRequested;
  return state === "denied" && undoUntil !== null
    ? texts.approval.undone
    : texts.approval.closed[state];
}

/** What became of the approvals of a group: "2 approved · 1 denied". */
export function closedGroupTitle(approvals: readonly Closed[]): string {
  const counts = Map.groupBy(approvals, closedWord);
  return [...counts].map(([word, { length }]) => `${length} ${word}`).join(" · ");
}

function closedWord({ state, reply, undoUntil }: Closed): string {
  const { group, closed } = texts.approval;
  if (reply !== null) return group.toBeChanged;
  return state === "denied" && undoUntil !== null ? group.undone : closed[state].toLowerCase();
}
