import { visible, type ApprovalView, type EffectView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { actionWords } from "../words/action.ts";
import { DiffList } from "./diff-list.tsx";
import { PreparedView, RawView } from "./prepared-view.tsx";
import { UndoCountdown } from "./undo-countdown.tsx";

/** The choice and its result. The content that was decided on is collapsed. */
export function ApprovalOutcome({
  approval,
  effectState,
  editFailure,
  onChange,
}: {
  readonly approval: ApprovalView;
  /** Undefined if it must be read from the server. */
  readonly effectState: EffectView["state"] | undefined;
  readonly editFailure: string | undefined;
  readonly onChange: (next: ApprovalView | undefined) => void;
}) {
  const isApproved = approval.state === "approved" || approval.state === "used";
  const words = actionWords(approval.tool);
  const { data: effect } = useQuery({
    ...queries.effect(approval.effectId),
    enabled: isApproved && effectState === undefined,
  });
  const state = effectState ?? effect?.state;
  return (
    <>
      {approval.decidedAt !== null && (
        <p className="text-sm text-quiet">
          <Time at={approval.decidedAt} />
        </p>
      )}
      {approval.state === "denied" && approval.undoUntil !== null && <p>{words.nothingDone}</p>}
      {approval.state === "superseded" && editFailure === undefined && (
        <p>{texts.approval.replaced}</p>
      )}
      {editFailure !== undefined && (
        <p role="alert" className="text-bad wrap-anywhere">
          {editFailure}
        </p>
      )}
      {approval.decisionReason !== null && (
        <p className="whitespace-pre-wrap wrap-anywhere">{visible(approval.decisionReason)}</p>
      )}
      {approval.reply !== null && (
        <p className="whitespace-pre-wrap wrap-anywhere">{visible(approval.reply)}</p>
      )}
      {isApproved && state && (
        <p role={state === "failed" || state === "unknown" ? "alert" : undefined}>
          {words.outcome[state]}
        </p>
      )}
      <UndoCountdown approval={approval} onDone={onChange} />
      <details className="mt-2">
        <summary className="cursor-pointer text-sm text-quiet">{texts.approval.details}</summary>
        <div className="mt-3">
          <DiffList diff={approval.diff} />
          <PreparedView {...approval} />
          <RawView prepared={approval.prepared} />
        </div>
      </details>
    </>
  );
}
