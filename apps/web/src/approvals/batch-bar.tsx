import { describeClosing, type ApprovalOutcome, type ApprovalView } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { ApprovalProblem } from "../cards/approval-problem.tsx";
import { approvalQueue } from "../live/approval-queue.ts";
import { useRoomAtEnd } from "../edges.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { inboxWords } from "../words/inbox.ts";
import { Button } from "../ui/button.tsx";
import { pageHeading } from "../ui/page.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";
import type { BatchOutcome } from "./batch-outcomes.tsx";
import { approvalLine } from "./approval-line.ts";

interface BatchBarProps {
  /** Every approval was read to its end, and is sent with the digest of what was read. */
  readonly batch: readonly ApprovalView[];
  onClear(): void;
  onDone(outcomes: readonly BatchOutcome[]): void;
}

/** Decides several approvals at once. Each has its own outcome. */
export function BatchBar({ batch, onClear, onDone }: BatchBarProps) {
  const client = useQueryClient();
  const decide = useMutation({
    async mutationFn(choice: "approved" | "denied") {
      const decided = batch.map(({ id, digest }) => ({ id, digest }));
      const body = choice === "approved" ? { approve: decided } : { deny: decided };
      const outcomes = await approvalQueue.send(
        decided.map(({ id }) => id),
        () => api.call("POST /api/approvals/batch", { body }),
      );
      return [...outcomes.approve, ...outcomes.deny];
    },
    onSuccess(outcomes) {
      for (const outcome of outcomes)
        if (outcome.ok)
          client.setQueryData(queries.approval(outcome.id).queryKey, outcome.approval);
      onDone(outcomes.map((outcome) => toBatchOutcome(outcome, batch)));
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ["approvals"] }),
  });
  const room = useRoomAtEnd();
  const bar = useFocusAfter<HTMLElement>(() => findPendingRow(batch) ?? pageHeading());
  return (
    <footer ref={room} className="sticky bottom-(--bar-room) z-20 mt-6 pb-3">
      <section
        ref={bar}
        aria-label={inboxWords.selected(batch.length)}
        className="rounded-xl border border-edge bg-surface p-3 shadow-lg"
      >
        {decide.error !== null && <ApprovalProblem error={decide.error} />}
        <div className="flex flex-wrap items-center gap-2">
          <p role="status" className="mr-auto text-sm">
            {inboxWords.selected(batch.length)}
          </p>
          <Button kind="main" isBusy={decide.isPending} onClick={() => decide.mutate("approved")}>
            {inboxWords.approve(batch.length)}
          </Button>
          <Button kind="danger" isBusy={decide.isPending} onClick={() => decide.mutate("denied")}>
            {inboxWords.deny(batch.length)}
          </Button>
          <Button kind="quiet" isBusy={decide.isPending} onClick={onClear}>
            {inboxWords.clear}
          </Button>
        </div>
      </section>
    </footer>
  );
}

/** The button of a row that is still pending. */
function findPendingRow(batch: readonly ApprovalView[]): HTMLElement | null | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-approval-row]")];
  return rows
    .find(({ dataset }) => batch.every(({ id }) => id !== dataset["approvalRow"]))
    ?.querySelector("button");
}

function toBatchOutcome(outcome: ApprovalOutcome, batch: readonly ApprovalView[]): BatchOutcome {
  const approval = batch.find(({ id }) => id === outcome.id);
  return {
    id: outcome.id,
    what: approval ? approvalLine(approval) : outcome.id,
    runId: approval?.runId ?? "",
    ...(outcome.ok ? {} : { error: describeClosing(outcome.error, texts.approval.closing) }),
  };
}
