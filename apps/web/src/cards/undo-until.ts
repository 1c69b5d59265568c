import type { ApprovalView } from "@bron/protocol";

/** Until when a choice can be undone, in epoch milliseconds. Undefined if it cannot. */
export function undoUntilOf({
  state,
  undoUntil,
  reopenUntil,
}: Pick<ApprovalView, "state" | "undoUntil" | "reopenUntil">): number | undefined {
  const until = state === "approved" ? undoUntil : state === "denied" ? reopenUntil : null;
  return until === null ? undefined : Date.parse(until);
}
