import { isTerminal, type Card, type RunOutcome, type RunView } from "@bron/protocol";
import { RunSummary } from "../cards/run-summary.tsx";
import { texts } from "../texts.ts";
import { RetryButton } from "./retry-button.tsx";
import { summaryOf } from "./task-sections.ts";
import type { Item } from "./item.ts";

type SummaryPayload = Extract<Card, { kind: "RunSummaryCard" }>["payload"];

interface TaskEndProps {
  readonly run: RunView;
  readonly items: readonly Item[];
  readonly isLast: boolean;
}

/** What was not done and why, with Retry. Nothing after a task that simply succeeded. */
export function TaskEnd({ run, items, isLast }: TaskEndProps) {
  const card = summaryOf(items);
  const canRetry = isLast && canRetryRun(run);
  const isShown = card?.kind === "RunSummaryCard" && (canRetry || !isDone(card.payload));
  const unread = unreadIn(card);
  if (!isShown && !canRetry && unread.length === 0) return null;
  return (
    <div className="grid justify-items-start gap-3">
      {unread.length > 0 && <p className="text-bad">{texts.cards.unread(unread)}</p>}
      {isShown && <RunSummary {...card.payload} />}
      {canRetry && <RetryButton runId={run.id} />}
    </div>
  );
}

function unreadIn(card: Card | undefined): readonly string[] {
  return card?.kind === "RunSummaryCard" && "did" in card.payload
    ? (card.payload.unreadFiles ?? [])
    : [];
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
