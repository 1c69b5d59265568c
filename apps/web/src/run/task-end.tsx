import { isTerminal, type RunView } from "@bron/protocol";
import { RunSummary } from "../cards/run-summary.tsx";
import { RetryButton } from "./retry-button.tsx";
import { summaryOf } from "./task-sections.ts";
import type { Item } from "./item.ts";

interface TaskEndProps {
  readonly run: RunView;
  readonly items: readonly Item[];
  readonly isLast: boolean;
}

/** What was not done and why, with Retry. Nothing after a task that simply succeeded. */
export function TaskEnd({ run, items, isLast }: TaskEndProps) {
  const card = summaryOf(items);
  const canRetry = isLast && canRetryRun(run);
  const isShown =
    card?.kind === "RunSummaryCard" && (canRetry || card.payload.outcome !== "succeeded");
  if (!isShown && !canRetry) return null;
  return (
    <div className="grid justify-items-start gap-3">
      {isShown && <RunSummary {...card.payload} />}
      {canRetry && <RetryButton runId={run.id} />}
    </div>
  );
}

/** A subtask is retried with its main task. */
export function canRetryRun({ parentRunId, status, notDone }: RunView): boolean {
  return parentRunId === null && isTerminal(status) && (status !== "completed" || notDone > 0);
}
