import { visible, type ApprovalView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { describeError } from "../words/tools.ts";

/** Explains why an edit failed. The run then asks about the original again, or not at all. */
export function useEditFailure({
  id,
  runId,
  actionId,
  state,
  createdAt,
}: ApprovalView): string | undefined {
  const enabled = state === "superseded";
  const { data: actions } = useQuery({ ...queries.actions(runId), enabled });
  const { data: approvals } = useQuery({ ...queries.approvalsOf(runId), enabled });
  if (!enabled || !approvals) return undefined;
  // The time of an event may be before that of its own row.
  const [next] = approvals.filter(
    (other) =>
      other.id !== id &&
      other.runId === runId &&
      other.actionId === actionId &&
      other.createdAt > createdAt,
  );
  if (next) return next.diff.length === 0 ? texts.approval.originalWaits : undefined;
  const action = actions?.find(({ id }) => id === actionId);
  return action?.state === "failed"
    ? texts.approval.editRejected(visible(describeError(action.error ?? {})))
    : undefined;
}
