import type { ApprovalView, EffectView } from "@bron/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { closedTitle } from "../cards/approval-title.ts";
import { UndoAll } from "../cards/undo-all.tsx";
import { UndoCountdown } from "../cards/undo-countdown.tsx";
import { useUnsentApprovals } from "../live/approval-queue.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { inboxWords } from "../words/inbox.ts";
import { cx } from "../ui/cx.ts";
import { actionWords } from "../words/action.ts";

export interface BatchOutcome {
  readonly id: string;
  readonly what: string;
  readonly runId: string;
  /** Why the choice was not accepted. */
  readonly error?: string;
}

/** The result of each choice of a batch, updated while the effects run. */
export function BatchOutcomes({ outcomes }: { readonly outcomes: readonly BatchOutcome[] }) {
  if (outcomes.length === 0) return null;
  return (
    <section
      aria-label={inboxWords.results}
      className="mb-4 rounded-xl border border-edge bg-surface px-4 py-1 text-sm"
    >
      <ul className="divide-y divide-edge">
        {outcomes.map((outcome, index) => (
          <Outcome
            key={outcome.id}
            outcome={outcome}
            place={inboxWords.position(index + 1, outcomes.length)}
          />
        ))}
      </ul>
      <div className="pb-2 empty:hidden">
        <UndoAll ids={outcomes.flatMap(({ id, error }) => (error === undefined ? [id] : []))} />
      </div>
    </section>
  );
}

function Outcome({
  outcome: { id, what, runId, error },
  place,
}: {
  readonly outcome: BatchOutcome;
  readonly place: string;
}) {
  const client = useQueryClient();
  const { data: approval } = useQuery({ ...queries.approval(id), enabled: error === undefined });
  const { data: effect } = useQuery({
    ...queries.effect(approval?.effectId ?? ""),
    enabled: approval !== undefined && isApproved(approval),
  });
  const isSending = useUnsentApprovals().has(id);
  const isBad =
    error !== undefined ||
    (!isSending && approval?.state === "pending" && approval.reopened === 0) ||
    (approval &&
      isApproved(approval) &&
      (effect?.state === "failed" || effect?.state === "unknown"));
  const know = (next: ApprovalView | undefined) => {
    if (next) client.setQueryData(queries.approval(id).queryKey, next);
    void client.invalidateQueries({ queryKey: ["approvals"] });
  };
  return (
    <li
      tabIndex={-1}
      className="flex min-h-12 flex-wrap items-center gap-x-4 py-1 outline-none wrap-anywhere"
    >
      <div className="flex min-w-0 flex-1 basis-60 flex-wrap items-baseline gap-x-3">
        <span
          role="status"
          className={cx(
            "font-medium",
            isBad ? "text-bad" : approval && isApproved(approval) && "text-good",
          )}
        >
          {error ??
            (isSending ? inboxWords.sending : approval && describeOutcome(approval, effect))}
        </span>
        <span>{what}</span>
        <Link to="/runs/$runId" params={{ runId }} className="text-sm">
          {inboxWords.viewTask}
        </Link>
      </div>
      {approval && <UndoCountdown approval={approval} what={`${place}: ${what}`} onDone={know} />}
    </li>
  );
}

const isApproved = ({ state }: ApprovalView) => state === "approved" || state === "used";

function describeOutcome(approval: ApprovalView, effect: EffectView | undefined): string {
  if (approval.state === "pending")
    return approval.reopened > 0 ? inboxWords.reopened : texts.approval.notSaved;
  if (approval.state !== "approved" && approval.state !== "used") return closedTitle(approval);
  const hasStarted =
    effect && !["proposed", "awaiting_confirmation", "approved"].includes(effect.state);
  return hasStarted
    ? actionWords(approval.tool).outcome[effect.state]
    : texts.approval.closed.approved;
}
