import type { ApprovalView, EffectView } from "@bron/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { UndoAll } from "../cards/undo-all.tsx";
import { UndoCountdown } from "../cards/undo-countdown.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { Panel } from "../ui/panel.tsx";
import { actionWords } from "../words/action.ts";

export interface BatchOutcome {
  readonly id: string;
  readonly what: string;
  readonly runId: string;
  /** Why the decision was not accepted. */
  readonly error?: string;
}

/** The result of each decision of a batch, updated while the effects run. */
export function BatchOutcomes({ outcomes }: { readonly outcomes: readonly BatchOutcome[] }) {
  if (outcomes.length === 0) return null;
  return (
    <div className="mb-6">
      <Panel
        title={texts.inbox.results}
        actions={
          <UndoAll ids={outcomes.flatMap(({ id, error }) => (error === undefined ? [id] : []))} />
        }
      >
        <ul className="divide-y divide-edge">
          {outcomes.map((outcome, index) => (
            <Outcome
              key={outcome.id}
              outcome={outcome}
              place={texts.inbox.position(index + 1, outcomes.length)}
            />
          ))}
        </ul>
      </Panel>
    </div>
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
  const isBad =
    error !== undefined ||
    (approval &&
      isApproved(approval) &&
      (effect?.state === "failed" || effect?.state === "unknown"));
  const know = (next: ApprovalView | undefined) => {
    if (next) client.setQueryData(queries.approval(id).queryKey, next);
    void client.invalidateQueries({ queryKey: ["approvals"] });
  };
  return (
    <li tabIndex={-1} className="py-3 outline-none wrap-anywhere first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <span
          role="status"
          className={cx(
            "font-medium",
            isBad ? "text-bad" : approval && isApproved(approval) && "text-good",
          )}
        >
          {error ?? (approval && describeOutcome(approval, effect))}
        </span>
        <span>{what}</span>
        <Link to="/runs/$runId" params={{ runId }} className="text-sm">
          {texts.inbox.viewTask}
        </Link>
      </div>
      {approval?.state === "approved" && approval.undoUntil !== null && (
        <UndoCountdown
          approvalId={id}
          tool={approval.tool}
          until={approval.undoUntil}
          what={`${place}: ${what}`}
          onDone={know}
        />
      )}
    </li>
  );
}

const isApproved = ({ state }: ApprovalView) => state === "approved" || state === "used";

function describeOutcome(approval: ApprovalView, effect: EffectView | undefined): string {
  if (approval.state === "denied" && approval.undoUntil !== null) return texts.approval.undone;
  if (approval.state !== "approved" && approval.state !== "used")
    return texts.approval.closed[approval.state];
  const hasStarted =
    effect && !["proposed", "awaiting_confirmation", "approved"].includes(effect.state);
  return hasStarted
    ? actionWords(approval.tool).outcome[effect.state]
    : texts.approval.closed.approved;
}
