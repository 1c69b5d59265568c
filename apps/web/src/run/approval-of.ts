import { isTerminal, type LoggedApproval } from "@bron/protocol";
import type { Item } from "./item.ts";
import type { Timeline } from "./timeline.ts";

/** The approval of a card: as the log has it, still arriving, or to be read from the server. */
export type ApprovalSource = LoggedApproval | "arriving" | "server";

/**
 * While an earlier log arrives, an approval that was decided long ago looks open for a moment.
 */
export function approvalOf(
  item: Item,
  { approvalsInLog: { approvals }, status }: Timeline,
  isCaughtUp: boolean,
): ApprovalSource | undefined {
  if (item.kind !== "card" || item.card.kind !== "ApprovalCard") return undefined;
  if (!isCaughtUp) return "arriving";
  const logged = approvals.get(item.card.payload.approvalId);
  // The log of a finished run is closed. An approval that it left open expires without an event.
  const isLeftOpen = isTerminal(status) && logged?.approval.state === "pending";
  return !logged || isLeftOpen ? "server" : logged;
}
