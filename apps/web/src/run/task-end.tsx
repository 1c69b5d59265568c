import { isTerminal, type Card, type RunOutcome, type RunView } from "@bron/protocol";
import { RunSummary } from "../cards/run-summary.tsx";
import { texts } from "../texts.ts";
import { RunBadge } from "../ui/badge.tsx";
import { RetryButton } from "./retry-button.tsx";
import { summaryOf } from "./task-sections.ts";
import type { Item } from "./item.ts";

type SummaryPayload = Extract<Card, { kind: "RunSummaryCard" }>["payload"];

interface TaskEndProps {
  readonly run: RunView;
  readonly items: readonly Item[];
  readonly isLast: boolean;
}

/**
 * What was not done and why, with Retry where it helps. Nothing after a task that simply succeeded,
 * and only the outcome if the answer already says why.
 */
export function TaskEnd({ run, items, isLast }: TaskEndProps) {
  const card = summaryOf(items);
  const summary = card?.kind === "RunSummaryCard" ? card.payload : undefined;
  const canRetry = isLast && canRetryRun(run) && summary?.nextAction !== undefined;
  const hasReasons = summary !== undefined && (canRetry || saysWhy(summary));
  const isUndone = summary !== undefined && !isDone(summary);
  const unread = unreadIn(card);
  if (!hasReasons && !isUndone && unread.length === 0) return null;
  return (
    <div className="grid justify-items-start gap-3">
      {unread.length > 0 && <p className="text-bad">{texts.cards.unread(unread)}</p>}
      {hasReasons ? <RunSummary {...summary} /> : isUndone && <RunBadge run={run} />}
      {canRetry && <RetryButton runId={run.id} />}
    </div>
  );
}

function unreadIn(card: Card | undefined): readonly string[] {
  return card?.kind === "RunSummaryCard" && "did" in card.payload
    ? (card.payload.unreadFiles ?? [])
    : [];
}

/** Whether the card tells more than the outcome. */
function saysWhy(summary: SummaryPayload): boolean {
  if (isDone(summary)) return false;
  if (!("did" in summary)) return true;
  const { notDone, unfinished = [], error, outcome, partialText } = summary;
  const isEarly = outcome !== "succeeded" || error !== undefined || partialText !== undefined;
  return isEarly || notDone.length + unfinished.length > 0;
}

function isDone({ outcome, ...card }: SummaryPayload): boolean {
  const how = "runOutcome" in card ? card.runOutcome : undefined;
  return outcome === "succeeded" && (how === undefined || how === "done");
}

/** A subtask is retried with its main task. */
export function canRetryRun({ parentRunId, status, outcome }: RunView): boolean {
  return parentRunId === null && isTerminal(status) && outcome !== null && mayHelp.has(outcome);
}

/** A retry answers no question, and asks for nothing that was denied. */
const mayHelp: ReadonlySet<RunOutcome> = new Set(["partly_done", "could_not"]);
